"""Work on a Dask cluster: units are sent out, small arrays come back, and the numbers are those of one machine."""

from __future__ import annotations

import hashlib
import logging
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from types import TracebackType
from typing import Any, Final, Self

from runoff.errors import InputError, MissingExtraError, RunoffError, UsageError
from runoff.files.parquet.cut_qrels import OutOfOrderError
from runoff.files.streams import usable_cores
from runoff.reading.cluster_connection import (
    LOCAL,
    PACKAGE,
    check_certificates,
    check_host,
    check_versions,
    connection_problem,
    encrypted_address,
    let_go,
    without_interrupts,
)
from runoff.reading.units import Asked, Block, Found, Unit, cluster_problem, digest_of_qrels, edition, score_unit
from runoff.tables.qrels import Qrels
from runoff.tables.serp_parts import SerpPart

AHEAD: Final = 3
"""Units in flight per thread of a worker: enough that none waits, few enough that results do not pile up."""
RETRIES: Final = 2
CONNECTION_SECONDS: Final = 20.0
"""How long a scheduler is tried; one that has just been started takes some seconds to listen."""
_LOOK_SECONDS: Final = 5.0
_NO_FILE: Final = ": no such file;"
_HERE: Final = "; a worker does not see it: paths must mean the same on all machines of the cluster"


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Where a cluster is, and how it is reached.

    address   that of a scheduler, such as tls://10.0.0.1:8786; or `local`, for worker processes here, one per core, or
              as many as `local:4` says. Without encryption: tcp://... on this machine, plain+tcp://... on another one
    tls       certificate files for tls://: the authority's, our own, and our key; else those of Dask's configuration
    patience  seconds to wait for a worker when there is none, and for the scheduler, but 20 at most
    """

    address: str
    tls: tuple[str, str, str] | None = None
    patience: float = 60.0


class ClusterEngine:
    """A connection to a cluster; use it in a `with` statement. See `runoff.reading.units.Engine`."""

    def __init__(self, cluster: Cluster) -> None:
        self.sent = 0
        """Bytes of units and labels that were sent to the scheduler."""
        self.received = 0
        """Bytes of arrays that came back."""
        self._stack = ExitStack()
        cluster = replace(cluster, address=encrypted_address(cluster.address))
        self.cluster = cluster
        check_certificates(cluster.address, cluster.tls)
        try:
            import distributed
        except ImportError:
            raise MissingExtraError("a cluster", "cluster") from None
        self._distributed = distributed
        self._stack.enter_context(_without_warnings())
        try:
            check_host(cluster.address)
            self.client = self._opened()
            self.client.wait_for_workers(1, timeout=cluster.patience)
            check_versions(self.client.run(version, PACKAGE, on_error="return"))
        except UsageError:
            self.close()
            raise
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError, AssertionError) as error:
            self.close()
            problem = connection_problem(cluster.address, cluster.tls, error)
            let_go(error)
            raise problem from None

    def _opened(self) -> Any:
        dask = self._distributed
        address = self.cluster.address
        target: Any = address
        if address.partition(":")[0] == LOCAL:
            workers = address.partition(":")[2] or str(usable_cores())
            if not workers.isdecimal() or int(workers) < 1:
                raise UsageError(
                    f"cluster {address}: '{workers}' is not a number of workers; expected one such as local:4"
                )
            with without_interrupts():  # Ctrl-C is for us; we end the workers
                started = dask.LocalCluster(
                    n_workers=int(workers),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    host="127.0.0.1",
                    protocol="tcp://",
                    silence_logs=logging.CRITICAL,
                )
            target = self._stack.enter_context(started)
        security = None
        if self.cluster.tls is not None:
            authority, certificate, key = self.cluster.tls
            security = dask.Security(
                tls_ca_file=authority, tls_client_cert=certificate, tls_client_key=key, require_encryption=True
            )
        timeout = min(self.cluster.patience, CONNECTION_SECONDS)
        return self._stack.enter_context(dask.Client(target, security=security, timeout=timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        with suppress(AssertionError, TimeoutError):  # Dask's client insists on having left within its time
            self._stack.close()

    @property
    def is_open(self) -> bool:
        """Whether the scheduler is still there."""
        return bool(self.client.status == "running")

    def scored(self, units: Sequence[Unit], qrels: Qrels | None) -> Iterator[SerpPart]:
        """See `Engine`: futures are taken in the order of the units, so nothing depends on who is done first."""
        if not units:
            return
        labels, there = self._labels_there(qrels)

        def submitted(place: int, unit: Unit) -> Any:
            key = f"runoff-unit-{unit.key(labels)}"
            self.sent += len(pickle.dumps(unit, protocol=pickle.HIGHEST_PROTOCOL))
            return self._submitted(place, key, _scored_there, unit, there, edition())

        for part in self._in_order((unit, submitted(place, unit)) for place, unit in enumerate(units)):
            self.received += part.size
            yield part

    def mapped(
        self, function: Callable[[Block, Asked], Found], blocks: Sequence[Block], asked: Sequence[Asked]
    ) -> Iterator[Found]:
        """See `Engine`: every block is sent once, as a task, so that it can be made again when its worker dies."""
        there = [self._sent(block) for block in blocks]
        pairs = [(name, block, question) for question in asked for name, block in there]

        def submitted(number: int, name: str, block: Any, question: Asked) -> tuple[str, Any]:
            piece = f"piece {number:,} of {len(pairs):,} of the work on single scores"
            key = f"runoff-{function.__name__}-{name}-{hashlib.sha256(pickle.dumps(question)).hexdigest()}"
            return piece, self._submitted(number, key, _done_there, function, block, question, edition())

        for result in self._in_order(submitted(number, *pair) for number, pair in enumerate(pairs, start=1)):
            self.received += result.nbytes
            yield result

    def _in_order(self, tasks: Iterable[tuple[object, Any]]) -> Iterator[Any]:
        """The results of tasks, each with what it is; few are submitted ahead, and none is left when this ends."""
        waiting: deque[tuple[object, Any]] = deque()
        try:
            for task in tasks:
                waiting.append(task)
                if len(waiting) > AHEAD * max(1, self._threads(task[0])):
                    yield self._result(*waiting.popleft())
            while waiting:
                yield self._result(*waiting.popleft())
        finally:
            if waiting and self.is_open:
                self.client.cancel([future for _, future in waiting])

    def _submitted(self, place: int, key: str, function: Callable[..., Any], *arguments: object) -> Any:
        """A task; the first is done first, since its result is awaited first: Dask keeps no order within 100 ms."""
        return self.client.submit(function, *arguments, key=key, retries=RETRIES, priority=-place)

    def _sent(self, block: object) -> tuple[str, Any]:
        packed = pickle.dumps(block, protocol=pickle.HIGHEST_PROTOCOL)
        self.sent += len(packed)
        name = hashlib.sha256(packed).hexdigest()
        return name, self.client.submit(pickle.loads, packed, key=f"runoff-block-{name}", retries=RETRIES)

    def _labels_there(self, qrels: Qrels | None) -> tuple[str, Any]:
        """A name for the labels, and where the workers find them; nothing where units have their own."""
        if qrels is None:
            return "", None
        labels = digest_of_qrels(qrels)
        packed = pickle.dumps(qrels, protocol=pickle.HIGHEST_PROTOCOL)
        self.sent += len(packed)
        # A task and not scattered data: it can be made again when the worker that holds it dies.
        return labels, self.client.submit(_unpacked, packed, key=f"runoff-labels-{labels}", retries=RETRIES)

    def _threads(self, unit: object) -> int:
        """How many threads the workers have, those that are there."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, RuntimeError):  # also Dask's word for a client that has given up
            raise cluster_problem(
                unit,
                "the scheduler of the cluster is gone; expected it to live until the end; start it and run again: "
                "with --resume from where it was",
            ) from None

    def _result(self, unit: object, future: Any) -> Any:
        """What came of a unit, or of something else that can be named."""
        idle = 0.0
        while True:
            try:
                found = future.result(timeout=_LOOK_SECONDS)
                break
            except TimeoutError:
                idle = 0.0 if self._threads(unit) else idle + _LOOK_SECONDS
                if idle > self.cluster.patience:
                    raise cluster_problem(
                        unit,
                        "no worker of the cluster is left to score it; expected at least one; start some and run again",
                    ) from None
            except self._distributed.KilledWorker:
                raise cluster_problem(
                    unit, "workers died again and again over it; expected enough memory for a part; see their logs"
                ) from None
            except MemoryError:
                raise cluster_problem(
                    unit,
                    "a worker had too little memory for it; expected enough for a part; give it more, or lower "
                    "--part-rows",
                ) from None
            except (OSError, self._distributed.client.FutureCancelledError, ImportError, AttributeError) as error:
                what = (
                    f"the cluster could not score it ({error}); expected runoff {edition()} on every worker "
                    "and a scheduler that lives; check both and run again"
                )
                raise cluster_problem(unit, what) from None
        if isinstance(found, Exception):
            raise found
        return found


def _unpacked(packed: bytes) -> Qrels:
    qrels: Qrels = pickle.loads(packed)  # noqa: S301  # sent by the same program a moment ago
    qrels.table  # noqa: B018  # made once
    return qrels


def _done_there(function: Callable[[Any, Any], Any], block: Any, asked: Any, version: str) -> Any:
    return function(block, asked) if version == edition() else _other_version(version)


def _other_version(version: str) -> UsageError:
    return UsageError(f"a worker has runoff {edition()}; expected {version} as here; install the same on all machines")


def _scored_there(unit: Unit, qrels: Qrels | None, version: str) -> SerpPart | RunoffError | OutOfOrderError:
    """On a worker: a fault of the input is a result, since no second try would fix it."""
    if version != edition():
        return _other_version(version)
    try:
        return score_unit(unit, qrels)
    except InputError as error:
        return type(error)([f"{one}{_HERE if _NO_FILE in one else ''}" for one in error.problems], total=error.total)
    except (RunoffError, OutOfOrderError) as error:
        return error


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Dask's client tells of every part that is done again after a worker died, and of labels and blocks above 10 MB.

    Nothing is wrong then: blocks are tasks so that they can be made again. What is wrong we tell ourselves.
    """
    import dask

    logger = logging.getLogger("distributed.client")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            yield
    finally:
        logger.setLevel(before)
