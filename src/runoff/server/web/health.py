"""Health checks and counters, for monitoring: is the server alive, can it work, and what is it doing."""

from __future__ import annotations

import os
from collections import Counter
from importlib.metadata import version

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from runoff.errors import StoreError
from runoff.server.cases.reads import current_revision, load_job_counts
from runoff.server.web.visitors import AnySite

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def is_alive() -> PlainTextResponse:
    """Whether the process answers."""
    return PlainTextResponse("alive\n")


@router.get("/readyz")
def is_ready(site: AnySite) -> PlainTextResponse:
    """Whether the database and the folder of files can be used."""
    try:
        with site.database.read() as connection:
            ready = current_revision(connection) is not None
        site.files.make(site.files.folder)
        ready = ready and os.access(site.files.folder, os.W_OK)
    except (StoreError, OSError):
        ready = False
    return PlainTextResponse("ready\n" if ready else "not ready\n", status_code=200 if ready else 503)


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
