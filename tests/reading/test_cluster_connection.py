"""The way into a cluster: what is wrong with certificates, and with a scheduler that cannot be reached by them."""

import subprocess
import sys
from typing import Any

import distributed
import pytest

from runoff.errors import UsageError
from runoff.reading.cluster import Cluster, ClusterEngine
from runoff.reading.cluster_connection import check_certificates, connection_problem, without_interrupts
from tests.programs import required

pytestmark = pytest.mark.cluster

ADDRESS = "tls://10.0.0.1:8786"
THREADS = {"processes": False, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two authorities that are their own certificates, and the key of one behind a pass phrase."""
    tool = required("openssl")
    base = tmp_path_factory.mktemp("tls")

    def openssl(*arguments):
        subprocess.run([tool, *arguments], cwd=base, check=True, capture_output=True)

    for name in ("a", "b"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")  # fmt: skip
    openssl("ec", "-aes128", "-passout", "pass:secret", "-in", "a.key", "-out", "locked.key")
    return base


BAD = [
    (
        ("none.pem", "a.pem", "a.key"),
        "none.pem: no such file or directory; expected the authority's certificate, a PEM",
    ),
    (("a.pem", "none.pem", "a.key"), "none.pem: no such file or directory; expected our own certificate, a PEM file"),
    (("a.pem", "a.pem", "none.key"), "none.key: no such file or directory; expected our key, a PEM file"),
    (("a.key", "a.pem", "a.key"), "a.key: holds no certificate; expected the authority's certificate as PEM"),
    (("a.pem", "a.pem", "b.key"), "b.key: is not the key of a.pem; expected the one that it was made with"),
    (("a.pem", "a.pem", "b.pem"), "a.pem with b.pem: cannot be used; expected a certificate and its key as PEM files"),
    (("a.pem", "a.pem", "locked.key"), "a.pem with locked.key: cannot be used; .* the key without a pass phrase"),
]


@pytest.mark.parametrize("files, message", BAD)
def test_what_is_wrong_with_files(folder, monkeypatch, files, message):
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=f"^{message}.*; check --cluster-tls CA CERT KEY$"):
        check_certificates(ADDRESS, files)


def test_good_files(folder, monkeypatch):
    monkeypatch.chdir(folder)
    check_certificates(ADDRESS, ("b.pem", "a.pem", "a.key"))
    check_certificates(ADDRESS, None)


@pytest.fixture(scope="module")
def scheduler(folder):
    """The address of a scheduler with the certificate a, which lets in what a signed."""
    a = {"cert": str(folder / "a.pem"), "key": str(folder / "a.key")}
    whose = {f"tls_{who}_{what}": file for who in ("client", "scheduler", "worker") for what, file in a.items()}
    security = distributed.Security(tls_ca_file=a["cert"], require_encryption=True, **whose)
    with distributed.LocalCluster(n_workers=1, security=security, protocol="tls://", **THREADS) as cluster:
        yield cluster.scheduler_address


OUTSIDE = [
    (("b.pem", "a.pem", "a.key"), r"the certificate of its scheduler is not of the authority in .*b\.pem"),
    (
        ("a.pem", "b.pem", "b.key"),
        "the scheduler closed the connection; expected one that speaks TLS and accepts our certificate",
    ),
    (None, "no certificates for tls:// are given; expected --cluster-tls CA CERT KEY"),
]


@pytest.mark.parametrize("files, message", OUTSIDE)
def test_a_scheduler_that_lets_nobody_in(folder, scheduler, files, message):
    tls: Any = None if files is None else tuple(str(folder / file) for file in files)
    with pytest.raises(UsageError, match=f"^cluster {scheduler}: cannot be used: {message}"):
        ClusterEngine(Cluster(address=scheduler, tls=tls, patience=5.0))


def test_an_address_that_is_not_encrypted(scheduler):
    plain = scheduler.replace("tls://", "tcp://")
    with pytest.raises(UsageError, match=f"cluster {plain}: .*, as one does that speaks TLS; expected tls://HOST:PORT"):
        ClusterEngine(Cluster(address=plain, patience=5.0))


@pytest.mark.parametrize("kind", ["CommClosedError", "FatalCommClosedError"])
def test_a_handshake_that_fails(kind):
    """As with a scheduler that does not speak TLS; Dask tells it in the one or the other way."""
    told = str(connection_problem(ADDRESS, None, getattr(distributed.comm.core, kind)()))
    assert "the scheduler closed the connection; expected one that speaks TLS" in told


def test_processes_that_do_not_see_ctrl_c():
    """A process that interrupts itself: only if it was started in there it goes on."""
    program = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGINT); "
        "print('goes on')"
    )
    itself = [sys.executable, "-c", program]
    with without_interrupts():
        assert subprocess.run(itself, capture_output=True, check=False).stdout.strip() == b"goes on"
    assert subprocess.run(itself, capture_output=True, check=False).stdout == b""


def test_ctrl_c_meanwhile_is_told_at_the_end():
    """In a process of its own: here, threads of other tests might take the signal."""
    program = """
import os, signal
from runoff.reading.cluster_connection import without_interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with without_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        print("goes on")
    print("never")
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True)
    assert done.stdout.split() == ["goes", "on", "interrupted"]
