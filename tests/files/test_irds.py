"""Datasets of ir_datasets by name: with a stand-in of the same shape, and with the package itself."""

import sys
from types import ModuleType
from typing import NamedTuple

import pytest

from runoff.errors import InputError, MissingExtraError
from runoff.files import read_qrels, read_query_list, read_run, read_texts
from runoff.reading.sources import as_qrels
from tests.files.samples import problems_of


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class Text(NamedTuple):
    text: str
    query_id: str = ""
    doc_id: str = ""

    def default_text(self):
        return self.text


class Dataset:
    def __init__(self, *, has_qrels=True, error=None):
        self._has_qrels, self._error = has_qrels, error

    def has_qrels(self):
        return self._has_qrels

    def has_docs(self):
        return True

    has_queries = has_docs

    def qrels_iter(self):
        if self._error:
            raise self._error
        return iter([Qrel("1", "7", 2, "0"), Qrel("1", "8", 0, "0")])

    def queries_iter(self):
        return iter([Text("a query", query_id="1"), Text("another", query_id="2")])

    def docs_store(self):
        return self

    def get_many_iter(self, ids):
        return (Text(f"text {doc}", doc_id=doc) for doc in ids if doc != "9")


@pytest.fixture
def datasets(monkeypatch):
    module = ModuleType("ir_datasets")
    module.load = {  # type: ignore[attr-defined]
        "toy": Dataset(),
        "toy/none": Dataset(has_qrels=False),
        "toy/far": Dataset(error=RuntimeError("All download sources failed\nmore")),
    }.__getitem__
    monkeypatch.setitem(sys.modules, "ir_datasets", module)


@pytest.mark.usefixtures("datasets")
def test_qrels_queries_and_texts():
    assert list(read_qrels("irds:toy")) == [("1", "7", 2), ("1", "8", 0)]
    assert read_qrels("irds:toy").name == "irds:toy"
    assert list(as_qrels("irds:toy", queries=["1"])) == [("1", "7", 2), ("1", "8", 0)]
    assert read_query_list("irds:toy") == ("1", "2")
    assert read_texts("irds:toy", ["9", "7"]).by_id == {"7": "text 7"}
    assert read_texts("irds:toy", ["9", "7"]).missing == ("9",)
    assert read_texts("irds:toy", ["2"], part="queries").by_id == {"2": "another"}


@pytest.mark.usefixtures("datasets")
@pytest.mark.parametrize(
    "name, problem",
    [
        ("irds:nothing", "irds:nothing: ir_datasets has no such dataset; expected a name as on"),
        ("irds:toy/none", "irds:toy/none: this dataset has no qrels; expected one that has"),
        ("irds:toy/far", "irds:toy/far: cannot be had (All download sources failed); expected a network"),
    ],
)
def test_what_cannot_be_had(name, problem):
    assert problems_of(read_qrels, name)[0].startswith(problem)


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r"irds:toy needs .*: pip install 'runoff\[irds\]'"):
        read_qrels("irds:toy")


@pytest.mark.proof
def test_with_the_package(tmp_path):
    """A dataset of our own, registered with the package and read by its own formats; nothing is downloaded."""
    import ir_datasets
    from ir_datasets.formats import TrecQrels, TsvDocs, TsvQueries

    class Local:
        def __init__(self, path):
            self._path = path

        def path(self, **_):
            return str(self._path)

        def stream(self):
            return self._path.open("rb")

    for name, text in (("docs", "7\tabout cats\n8\tabout dogs\n"), ("queries", "1\tcats\n"), ("qrels", "1 0 7 2\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    dataset = ir_datasets.Dataset(
        TsvDocs(Local(tmp_path / "docs"), namespace="toy"),
        TsvQueries(Local(tmp_path / "queries")),
        TrecQrels(Local(tmp_path / "qrels"), {0: "no", 2: "yes"}),
    )
    ir_datasets.registry.register("runoff-toy", dataset)
    assert list(read_qrels("irds:runoff-toy")) == [("1", "7", 2)]
    assert read_query_list("irds:runoff-toy") == ("1",)
    assert read_texts("irds:runoff-toy", ["1"], part="queries").by_id == {"1": "cats"}


def test_a_dataset_is_no_run_file():
    with pytest.raises(InputError, match="irds:toy: a dataset of ir_datasets; expected a file here; give it as the"):
        read_run("irds:toy")
