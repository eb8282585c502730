"""The log: what runoff does and what others warn of, on standard error."""

import logging
import subprocess
import sys

from runoff.server.log import WARNINGS, Throttle

PROGRAM = """
import logging
from runoff.server.log import start_log
start_log()
logging.getLogger("runoff.worker").info("job 7 is done")
logging.getLogger("other").info("noise")
logging.getLogger("other").warning("trouble")
"""


def test_lines_of_the_log():
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert shown.stdout == ""
    first, second = shown.stderr.splitlines()
    assert first.endswith(" runoff.worker INFO job 7 is done")
    assert second.endswith(" other WARNING trouble")


def test_a_warning_that_repeats_is_left_out_and_counted(caplog):
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])
    log = logging.getLogger("tests.throttle")
    caplog.handler.addFilter(throttle)
    try:
        for number in range(WARNINGS * 100):
            if number % 1000 == 0:
                log.info("work %d", number)
            log.warning("no file descriptor for %d", number)
        warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
        assert len(warnings) == WARNINGS
        assert warnings[-1].getMessage().endswith("(more lines like this are left out for up to 60 s)")
        now[0] = 61.0
        for number in range(2):
            log.error("another place: %d", number)
        assert [record.getMessage() for record in caplog.records[-2:]] == ["another place: 0", "another place: 1"]
    finally:
        caplog.handler.removeFilter(throttle)


def test_after_a_pause_the_log_says_how_many_lines_were_left_out():
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])

    def passed() -> str:
        record = logging.LogRecord("a", logging.WARNING, "a.py", 7, "trouble %s", ("x",), None)
        return record.getMessage() if throttle.filter(record) else ""

    assert [passed() for _ in range(WARNINGS + 5)][-5:] == [""] * 5
    now[0] = 60.0
    assert passed() == "trouble x (5 lines like this were left out before it)"
    assert passed() == "trouble x"
