"""The systemd unit in deploy/: how much an attacker who took over the server could still do."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from runoff.server.site import SiteSettings
from runoff.server.web.connections import RESERVED_FILES

UNIT = Path(__file__).resolve().parent.parent.parent / "deploy" / "runoff.service"


@pytest.mark.program
def test_systemd_rates_the_unit_as_ok():
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"Overall exposure level for runoff\.service: ([\d.]+) (\w+)", rated.stdout)
    assert level is not None, rated.stderr
    assert level[2] == "OK"
    assert float(level[1]) <= 2.5


def test_the_unit_allows_as_many_files_as_the_server_needs():
    limit = re.search(r"^LimitNOFILE=(\d+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert limit is not None
    assert int(limit[1]) >= SiteSettings().connections + RESERVED_FILES
