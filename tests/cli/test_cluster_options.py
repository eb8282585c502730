"""`--cluster`, `--resume` and `--part-rows`, as typed: the same bytes from text, from shards and from a cluster."""

import os

import pytest

from tests.workflows.boards_in_shards import write_both

VERBS = {
    "evaluate": ("evaluate", "a", "b", "c", "-m", "AP", "-m", "RR@5", "--per-query"),
    "compare": ("compare", "a", "b", "c"),
    "board": ("board", "a", "b", "c", "--trials", "50"),
    "reliability": ("reliability", "a", "b", "c", "--splits", "5"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("shards")
    write_both(base)
    return base


@pytest.fixture(scope="module")
def address():
    distributed = pytest.importorskip("distributed")
    options = {"processes": False, "dashboard_address": "127.0.0.1:0", "protocol": "tcp://", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster:
        yield cluster.scheduler_address


def said(call, folder, form, verb, *options):
    os.chdir(folder / form)
    shown = call(*VERBS[verb], "--qrels", "qrels", "--format", "json", *options)
    assert (shown.returncode, shown.stderr) == (0, "")
    return shown.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_bytes(call, folder, address, verb, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    expected = said(call, folder, "text", verb)
    for form in ("text", "parquet"):
        state = str(tmp_path / form)
        for options in (
            ("--part-rows", "30"),
            ("--cluster", address, "--part-rows", "50"),
            ("--resume", state, "--part-rows", "50"),
            ("--resume", state, "--part-rows", "50", "--cluster", address),
        ):
            assert said(call, folder, form, verb, *options) == expected
        assert len(list((tmp_path / form).iterdir())) >= 3


def test_patterns_and_a_list_of_queries(call, folder, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    (tmp_path / "some").write_text("q3\nq5\n")
    options = ("--queries", str(tmp_path / "some"), "--format", "json")
    os.chdir(folder / "text")
    text = call("evaluate", "a", "--qrels", "qrels", *options)
    os.chdir(folder / "parquet")
    found = call("evaluate", "a/part-*.parquet", "--qrels", "qrels/*", *options)
    assert text.returncode == found.returncode == 0
    assert text.stdout == found.stdout


BAD = [
    (("--cluster-tls", "a", "b", "c"), "--cluster-tls goes with --cluster tls://HOST:PORT"),
    (("--cluster", "local:x"), "cluster local:x: 'x' is no number of workers"),
    (("--part-rows", "0"), "--part-rows"),
    (("--resume", "qrels/x"), "qrels/x: cannot be made"),
]


@pytest.mark.parametrize("options, message", BAD)
def test_what_is_refused(call, folder, monkeypatch, options, message):
    monkeypatch.chdir(folder / "text")
    shown = call("evaluate", "a", "--qrels", "qrels", *options)
    assert shown.returncode == 2
    assert message in shown.stderr
