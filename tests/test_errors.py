import inspect
import pickle

import runoff.errors
from runoff.errors import InputError, LimitError, MissingExtraError, RunoffError


def test_every_error_is_in_the_drawing_and_in_the_tree():
    drawing = runoff.errors.__doc__ or ""
    for name, error in inspect.getmembers(runoff.errors, inspect.isclass):
        if error.__module__ != runoff.errors.__name__:
            continue
        assert name in drawing
        assert issubclass(error, RunoffError)


def test_the_first_20_problems_are_shown_and_the_rest_counted():
    error = InputError([f"f:{line}: bad" for line in range(1, 31)], total=1234)
    assert str(error).splitlines() == [*(f"f:{line}: bad" for line in range(1, 21)), "... and 1,214 more problems"]
    assert str(InputError(["f:1: bad"], total=2)).endswith("... and 1 more problem")


def test_a_limit_is_an_input_error():
    assert LimitError(["f: too large"]).total == 1


def test_a_missing_extra_says_what_to_type():
    assert "pip install 'runoff[ir-measures]'" in str(MissingExtraError("the measure SetP", "ir-measures"))


def test_errors_travel_between_processes():
    for error in (InputError(["f:1: bad"], total=9), LimitError(["f: too large"]), MissingExtraError("it", "cluster")):
        there = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert (type(there), str(there)) == (type(error), str(error))
        assert vars(there) == vars(error)
