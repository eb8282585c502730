"""Clusters that are not there, go away, or want certificates."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
from dataclasses import replace
from typing import Any

import dask
import distributed
import pytest

from benchmarks import cluster as benchmark
from runoff.errors import ClusterError, UsageError
from runoff.reading.cluster import Cluster, ClusterEngine
from tests.programs import required
from tests.reading.boards_in_shards import units_and_qrels, write_both

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of a scheduler that was killed
]
THREADS: Any = {"processes": False, "dashboard_address": "127.0.0.1:0", "protocol": "tcp://"}
"""A cluster of threads of this process, which starts in no time."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("board")
    write_both(base, runs=1)
    return base


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "local:no", "local:0"])
def test_no_cluster_there(address):
    with pytest.raises(UsageError, match=f"cluster (tls://)?{address}: "):
        ClusterEngine(Cluster(address=address, patience=0.5))


def test_a_client_that_could_not_start_ends_at_once():
    """Left to the garbage collection of another thread it would hold up the next one."""

    def clients():
        return sum(isinstance(one, distributed.Client) for one in gc.get_objects())

    gc.collect()
    before = clients()
    gc.disable()
    try:
        with pytest.raises(UsageError, match="cannot be used"):
            ClusterEngine(Cluster(address="tcp://127.0.0.1:1", patience=0.3))
        assert clients() == before
    finally:
        gc.enable()


def test_no_workers_there():
    with (
        distributed.LocalCluster(n_workers=0, **THREADS) as empty,
        pytest.raises(UsageError, match="expected a Dask scheduler with a worker"),
    ):
        ClusterEngine(Cluster(address=empty.scheduler_address, patience=0.5))


def test_a_cluster_that_is_slow_to_leave(monkeypatch):
    close = distributed.Client.close

    def slowly(client, *args, **options):
        was_open = client.status == "running"
        close(client, *args, **options)
        if was_open:  # and not again when it is let go of
            raise AssertionError

    with distributed.LocalCluster(n_workers=0, **THREADS) as empty:
        monkeypatch.setattr(distributed.Client, "close", slowly)
        with pytest.raises(UsageError, match="expected a Dask scheduler with a worker"):
            ClusterEngine(Cluster(address=empty.scheduler_address, patience=0.5))
        monkeypatch.undo()


def test_a_scheduler_that_dies(folder):
    """In a process of its own; the client gives up after a while."""
    units, qrels = units_and_qrels(folder)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        benchmark.cluster(1) as (address, pids),
        ClusterEngine(Cluster(address=address, patience=2.0)) as opened,
    ):
        found = opened.scored(units, qrels)
        next(found)
        scheduler = opened.client.run_on_scheduler(os.getpid)
        os.kill(scheduler, signal.SIGKILL)
        with pytest.raises(ClusterError, match=r"part-\d\.parquet:\d+-\d+: the (scheduler|cluster) .*(--resume|lives)"):
            list(found)
        assert pids


def test_no_worker_left(folder, monkeypatch):
    """It is looked at now and then whether there is one; here often, and once the cluster is open without patience."""
    monkeypatch.setattr("runoff.reading.cluster._LOOK_SECONDS", 0.1)
    units, qrels = units_and_qrels(folder)
    with (
        distributed.LocalCluster(n_workers=1, **THREADS) as shrinking,
        ClusterEngine(Cluster(address=shrinking.scheduler_address, patience=20.0)) as opened,
    ):
        found = opened.scored(units, qrels)
        next(found)
        opened.cluster = replace(opened.cluster, patience=0.3)
        shrinking.scale(0)
        with pytest.raises(ClusterError, match="no worker of the cluster is left to score it"):
            list(found)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    options = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=runoff -keyout key.pem -out cert.pem"
    subprocess.run([required("openssl"), *options.split()], cwd=folder, check=True, capture_output=True)
    return str(folder / "cert.pem"), str(folder / "cert.pem"), str(folder / "key.pem")


def test_tls(folder, certificates):
    authority, certificate, key = certificates
    security = distributed.Security(
        tls_ca_file=authority, require_encryption=True, tls_client_cert=certificate, tls_client_key=key,
        tls_scheduler_cert=certificate, tls_scheduler_key=key, tls_worker_cert=certificate, tls_worker_key=key,
    )  # fmt: skip
    units, qrels = units_and_qrels(folder, part_rows=1000)
    with distributed.LocalCluster(n_workers=1, security=security, **{**THREADS, "protocol": "tls://"}) as cluster:
        assert cluster.scheduler_address.startswith("tls://")
        with ClusterEngine(Cluster(address=cluster.scheduler_address, tls=certificates)) as opened:
            assert len(list(opened.scored(units, qrels))) == 1
