"""Every error that runoff raises on purpose.

RunoffError                  anything runoff can explain; the command line prints it and exits with status 2
├── InputError               a file or table that cannot be used; carries every problem found in it
│   ├── LimitError           an input larger than the limit that was set
│   └── ReadingEndedError    the process that read an input ended early, and the fault may not be the input's
├── UsageError               arguments that do not fit together
│   └── MeasureError         a measure's name or parameters cannot be used
├── MissingExtraError        an optional package is needed; the message holds the command that installs it
├── ClusterError             a cluster was lost, or lost its workers, while it worked; the same call may succeed later
├── NotAllowedError          a person may not do this
└── StoreError               the server's store cannot do what was asked
    ├── NotFoundError        nothing there has this name or number
    ├── ConflictError        something that is there already, or has changed meanwhile, stands against it
    ├── QuotaError           the rule for submissions allows no more now
    ├── TooOftenError        somebody asks for expensive views too often
    ├── LeaseLostError       the job is another worker's now
    ├── BusyError            the database or the files are busy; the same call may succeed later
    └── NoRoomError          the disk is full; the same call may succeed when there is room
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

SHOWN_PROBLEMS = 20


class RunoffError(Exception):
    """Base of all errors that runoff raises on purpose."""


class InputError(RunoffError):
    """An input that cannot be used.

    `problems` are sentences of the form `where: what; what was expected; what to do`. `total` counts all
    problems of the input, also those that were not kept.
    """

    def __init__(self, problems: Sequence[str], *, total: int | None = None) -> None:
        self.problems = tuple(problems)
        self.total = len(self.problems) if total is None else total
        super().__init__(self._text())

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes, with all that it holds."""
        return _input_error, (type(self), self.problems, self.total)

    def _text(self) -> str:
        lines = list(self.problems[:SHOWN_PROBLEMS])
        hidden = self.total - len(lines)
        if hidden > 0:
            lines.append(f"... and {hidden:,} more problem{'s' if hidden > 1 else ''}")
        return "\n".join(lines)


def _input_error(kind: type[InputError], problems: Sequence[str], total: int) -> InputError:
    return kind(problems, total=total)


class LimitError(InputError):
    """An input larger than the limit that was set."""


class ReadingEndedError(InputError):
    """The process that read an input was killed or failed in a way that nobody foresaw; the fault may not be its."""


class UsageError(RunoffError):
    """Arguments that do not fit together."""


class MeasureError(UsageError):
    """A measure's name or parameters cannot be used."""


class MissingExtraError(RunoffError):
    """An optional package is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        self._what = what
        super().__init__(f"{what} needs an optional package; install it with: pip install 'runoff[{extra}]'")

    def __reduce__(self) -> tuple[object, ...]:
        """How it travels between processes."""
        return type(self), (self._what, self.extra)


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Around the import of an optional package: if it is not installed, a MissingExtraError says how to install it."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(what, extra) from error


class ClusterError(RunoffError):
    """A cluster was lost, or lost its workers, while it worked."""


class NotAllowedError(RunoffError):
    """A person may not do this."""


class StoreError(RunoffError):
    """The server's store cannot do what was asked."""


class NotFoundError(StoreError):
    """Nothing in the store has this name or number."""


class ConflictError(StoreError):
    """Something that is there already, or has changed meanwhile, stands against it."""


class QuotaError(StoreError):
    """The rule for submissions allows no more now; `free_at` is when it next will, if ever."""

    def __init__(self, message: str, *, free_at: datetime | None = None) -> None:
        self.free_at = free_at
        super().__init__(message)


class TooOftenError(StoreError):
    """Somebody asks for expensive views too often; `free_at` is when the next may come."""

    def __init__(self, message: str, *, free_at: datetime) -> None:
        self.free_at = free_at
        super().__init__(message)


class LeaseLostError(StoreError):
    """The job is another worker's now."""


class BusyError(StoreError):
    """The database or the files are busy; the same call may succeed later."""


class NoRoomError(StoreError):
    """The disk is full; the same call may succeed when there is room."""
