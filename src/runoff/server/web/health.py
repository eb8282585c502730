"""Health checks and counters, for monitoring: is the server alive, can it work, and what is it doing."""

from __future__ import annotations

import logging
import time
from collections import Counter
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from runoff.server.cases.readiness import find_fault
from runoff.server.cases.reads import load_job_counts
from runoff.server.web.visitors import AnySite

if TYPE_CHECKING:
    from runoff.server.site import Site

LOG: Final = logging.getLogger("runoff.server.web")
KEPT_SECONDS: Final = 1.0

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def is_alive() -> PlainTextResponse:
    """Whether the process answers."""
    return PlainTextResponse("alive\n")


class Readiness:
    """Whether the server can take a run: looked up at most once in `KEPT_SECONDS`, however often it is asked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0
        self._fault = ""

    def fault(self, site: Site) -> str:
        """What is wrong, which the log says when it begins and when it ends; empty if nothing is."""
        with self._lock:
            if time.monotonic() >= self._until:
                fault = find_fault(site.database, site.files)
                if fault and not self._fault:
                    LOG.error("not ready: %s", fault)
                elif self._fault and not fault:
                    LOG.info("ready again")
                self._fault, self._until = fault, time.monotonic() + KEPT_SECONDS
            return self._fault


@router.get("/readyz")
def is_ready(request: Request, site: AnySite) -> PlainTextResponse:
    """Whether the server can take a run; the reason why not is in its log, since it names files."""
    readiness: Readiness = request.app.state.readiness
    fault = readiness.fault(site)
    return PlainTextResponse("not ready\n" if fault else "ready\n", status_code=503 if fault else 200)


@router.get("/metrics")
def show_metrics(request: Request, site: AnySite) -> PlainTextResponse:
    """Jobs and answers in the text format of Prometheus."""
    with site.database.read() as connection:
        jobs = load_job_counts(connection)
    answers: Counter[int] = request.app.state.answers
    lines = ["# HELP runoff_info The version of the server.", "# TYPE runoff_info gauge"]
    lines += [f'runoff_info{{version="{version("runoff")}"}} 1']
    lines += ["# HELP runoff_jobs Jobs by kind and state.", "# TYPE runoff_jobs gauge"]
    lines += [f'runoff_jobs{{kind="{kind}",state="{state}"}} {count}' for (kind, state), count in sorted(jobs.items())]
    lines += ["# HELP runoff_answers_total Answers of this process by status.", "# TYPE runoff_answers_total counter"]
    lines += [f'runoff_answers_total{{status="{status}"}} {count}' for status, count in sorted(answers.items())]
    return PlainTextResponse("\n".join([*lines, ""]), media_type="text/plain; version=0.0.4; charset=utf-8")
