"""`runoff serve`: what it passes on; a whole server is started in tests/server/web/test_server.py."""

import subprocess
import sys

import pytest


@pytest.fixture
def started(monkeypatch):
    seen = []
    monkeypatch.setattr("runoff.server.web.server.serve", lambda settings, **more: seen.append((settings, more)))
    return seen


def test_settings_come_from_file_environment_and_options(call, started, tmp_path, monkeypatch):
    (tmp_path / "r.toml").write_text('title = "T"\ndatabase = "sqlite:///x.db"\n')
    monkeypatch.setenv("RUNOFF_SESSION_HOURS", "5")
    result = call("serve", "--config", str(tmp_path / "r.toml"), "--port", "8123", "--workers", "2")
    assert (result.returncode, result.stderr) == (0, "")
    ((settings, more),) = started
    assert (settings.title, settings.session_hours, settings.base_url) == ("T", 5, "http://127.0.0.1:8123")
    assert (more["host"], more["port"], more["workers"]) == ("127.0.0.1", 8123, 2)


def test_an_own_address_is_kept(call, started):
    call("serve", "--base-url", "https://example.org/")
    assert started[0][0].base_url == "https://example.org"


def test_bad_settings_are_told(call, started):
    result = call("serve", "--base-url", "x")
    assert (result.returncode, result.stdout) == (2, "")
    assert "is not an address" in result.stderr


def test_without_the_extra_the_command_is_told():
    program = """
import sys, importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "fastapi" else real(name, *rest)
sys.argv = ["runoff", "serve"]
from runoff.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'runoff[server]'" in done.stderr
    assert "Traceback" not in done.stderr
