"""A server as somebody starts it, with a board, a worker process and a run sent by `runoff submit`."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from runoff.server.cases.accounts.sign_in import make_api_token
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.people import load_people
from runoff.server.web.server import prepare
from runoff.verbs.submit import submit
from tests.server.cases.served import Served, run_text, write_board
from tests.server.web.real import workers_of


def test_a_new_server_makes_boards_once_and_asks_for_an_organiser(tmp_path):
    board = write_board(tmp_path / "My Board")
    site = open_site(SiteSettings(database=f"sqlite:///{tmp_path / 'a.db'}", folder=tmp_path / "files"))
    first = list(prepare(site, boards=(board,)))
    assert first[0].endswith("http://127.0.0.1:8000/boards/my-board")
    assert "organiser@example.org" in first[1]
    assert re.search(r"/links/[\w-]{43}$", first[2])
    assert len(list(prepare(site, boards=(board,)))) == 2
    site.close()


# Ctrl-C ends every `RealServer` of the other tests.
@pytest.mark.parametrize(
    "workers, ending",
    [
        (1, signal.SIGTERM),
        pytest.param(0, signal.SIGINT, marks=pytest.mark.proof),
        pytest.param(1, signal.SIGINT, marks=pytest.mark.proof),
    ],
)
def test_from_start_to_end(tmp_path, workers, ending):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"sqlite:///{tmp_path / 'a.db'}"
    site = open_site(SiteSettings(database=url, folder=tmp_path / "files"))
    served = Served.made_in(site.database, tmp_path)
    command = [sys.executable, "-m", "runoff", "serve", "--database", url, "--folder", str(tmp_path / "files")]
    command += ["--port", str(port), "--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        try:
            base = f"http://127.0.0.1:{port}"
            for _ in range(200):
                try:
                    with urllib.request.urlopen(f"{base}/readyz", timeout=5):  # noqa: S310
                        break
                except OSError:
                    time.sleep(0.1)
            run = Path(tmp_path / "new.run")
            run.write_text(run_text(77))
            token, _ = make_api_token(
                site.database, served.member, name="t", scopes=frozenset({"read", "submit"}), now=site.now()
            )
            board = f"{base}/boards/trees"
            checked = submit(run, board=board, token=token, dry_run=True)
            assert checked.is_check
            assert checked.problems == ()
            result = submit(run, board=board, token=token, wait=True, pause=lambda _: time.sleep(0.1))
            assert result.answer["status"] == "scored"
            assert submit(run, board=board, token=token).answer["id"] == result.answer["id"]
        finally:
            crew = workers_of(process.pid)
            process.send_signal(ending)
            process.wait(timeout=60)
            assert len(crew) == workers
            assert not any(Path(f"/proc/{one}").exists() for one in crew), "workers end before their server"
            output, _ = process.communicate(timeout=60)
    assert process.returncode in {0, 130}, output
    assert "Traceback" not in output
    assert token not in output
    with site.database.read() as connection:
        assert len(load_people(connection)) == 3
    site.close()
