"""What keeps the first tier free of other programs."""

import subprocess
import sys

import pytest

from tests.programs import required


def test_the_first_tier_starts_python_and_nothing_else():
    assert subprocess.run([sys.executable, "-c", "print(3)"], capture_output=True, check=True).stdout == b"3\n"
    for command in (["true"], "true"):
        with pytest.raises(AssertionError, match="true is started in the first tier; mark the test `program`"):
            subprocess.run(command, check=False)


@pytest.mark.program
def test_later_tiers_start_programs():
    assert subprocess.run([required("true")], check=True).returncode == 0


def test_a_missing_program_is_a_failure():
    with pytest.raises(pytest.fail.Exception, match="no-such-program is missing; install it with scripts/system-pack"):
        required("no-such-program")
