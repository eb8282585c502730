"""The way into a cluster, as far as it needs none: addresses, versions of workers, and words for what Dask says."""

from importlib.metadata import PackageNotFoundError, version

import pytest

from runoff.errors import UsageError
from runoff.reading.cluster import Cluster, ClusterEngine
from runoff.reading.cluster_connection import check_host, check_versions, connection_problem, encrypted_address

ADDRESS = "tls://10.0.0.1:8786"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "local:2"])
def test_certificates_without_encryption(address):
    with pytest.raises(UsageError, match=f"cluster {address}: certificates are given for an address that is not"):
        ClusterEngine(Cluster(address=address, tls=("a", "b", "c")))


def test_what_is_not_known_is_told_as_dask_tells_it():
    told = str(connection_problem(ADDRESS, None, OSError("Timed out\nmore")))
    assert told.startswith(f"cluster {ADDRESS}: cannot be used (Timed out); expected a Dask scheduler with a worker")
    assert "(TimeoutError)" in str(connection_problem(ADDRESS, None, TimeoutError()))


def test_workers_without_runoff_or_with_another_one():
    here = version("runoff")
    check_versions({"tcp://a:1": here, "tcp://b:1": here})
    for found, told in ((PackageNotFoundError("runoff"), "has no runoff"), ("0.0.9", "has runoff 0.0.9")):
        with pytest.raises(UsageError) as caught:
            check_versions({"tcp://a:1": here, "tcp://b:1": found})
        assert str(caught.value) == (
            f"worker tcp://b:1: {told}; expected {here} as here, on every worker; install it there: "
            f"pip install 'runoff[cluster]=={here}'"
        )


def test_a_host_that_nobody_knows():
    with pytest.raises(
        UsageError, match=r"^cluster tcp://no\.host\.invalid:1: no host is called no\.host\.invalid; exp"
    ):
        check_host("tcp://no.host.invalid:1")
    for address in ("tcp://127.0.0.1:1", "local", "local:2", "nowhere", "inproc://x"):
        check_host(address)


@pytest.mark.parametrize(
    "address, expected",
    [
        ("10.0.0.1:8786", "tls://10.0.0.1:8786"),
        ("localhost:8786", "tcp://localhost:8786"),
        ("tls://10.0.0.1:8786", "tls://10.0.0.1:8786"),
        ("plain+tcp://10.0.0.1:8786", "tcp://10.0.0.1:8786"),
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("tcp://localhost:8786", "tcp://localhost:8786"),
        ("local", "local"),
        ("local:4", "local:4"),
        ("inproc://x", "inproc://x"),
    ],
)
def test_other_hosts_are_reached_by_tls(address, expected):
    assert encrypted_address(address) == expected


@pytest.mark.parametrize("host", ["10.0.0.1", "scheduler.example.org", "[2001:db8::1]", "127.0.0.1.example.org"])
def test_another_host_without_tls_is_refused(host):
    with pytest.raises(UsageError) as caught:
        ClusterEngine(Cluster(address=f"tcp://{host}:8786"))
    assert str(caught.value).startswith(
        f"cluster tcp://{host}:8786: is not encrypted, and on another host; expected tls"
    )
