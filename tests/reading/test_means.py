"""Labels cut like the runs: the numbers of one table in memory, whatever is cut where; and where it cannot be done."""

import json
from functools import partial

import polars as pl
import pytest

from runoff.errors import InputError
from runoff.files.parquet import cut_qrels as cutting
from runoff.files.parquet import sharded_runs
from runoff.measures import parse_measure
from runoff.reading import sources as inputs
from runoff.reading.means import read_means
from runoff.reading.sources import ReadOptions
from runoff.reading.units import HereEngine, ResumedEngine
from runoff.verbs.evaluate import evaluate
from tests.reading.boards_in_shards import write_both, write_sorted

MEASURES = [parse_measure(one) for one in ("nDCG@5", "RR@10", "AP", "RBP(p=0.8)", "ESL@5", "Judged@10", "bpref", "ERR")]
SHORT = [parse_measure(one) for one in ("RR@3", "nDCG@3")]


@pytest.fixture
def steps(monkeypatch):
    """An index of every second query, so that labels are cut too."""
    monkeypatch.setattr(inputs, "cut_qrels", partial(cutting.cut_qrels, step=2))


def rows_in(folder):
    return pl.read_parquet(folder / "**" / "*.parquet").rows()


def test_fractions_that_differ_from_part_to_part(tmp_path, steps):
    runs, qrels = write_sorted(tmp_path, order=int, queries=14), tmp_path / "qrels"
    for place, file in enumerate(sorted(qrels.glob("*.parquet"))):
        frame = pl.read_parquet(file)
        grade = pl.col("relevance").cast(pl.Float64)
        frame.with_columns(
            pl.when(grade == 1).then(0.6 + 0.3 * place).otherwise(grade).alias("relevance")
        ).write_parquet(file)
    whole = evaluate(runs, str(qrels), measures=MEASURES)
    found = read_means(runs, str(qrels), MEASURES, reading=ReadOptions(part_rows=8))
    assert found is not None
    assert json.dumps(found.to_dict()) == json.dumps(whole.to_dict())


@pytest.mark.parametrize("order, count, measures", [(int, 3, MEASURES), (str, 1, MEASURES), (str, 2, SHORT)])
def test_the_numbers_of_one_table(tmp_path, steps, order, count, measures):
    runs, qrels = write_sorted(tmp_path, order=order, queries=14)[:count], str(tmp_path / "qrels")
    whole = evaluate(runs, qrels, measures=measures)
    whole.per_query().write_parquet(tmp_path / "whole")
    expected = rows_in(tmp_path / "whole")
    for part_rows in (8, 20):
        state = ReadOptions(part_rows=part_rows, engine=ResumedEngine(HereEngine(), tmp_path / "state"))
        for reading in (ReadOptions(part_rows=part_rows), state, state):
            folder = tmp_path / f"{part_rows}-{reading is state}-{len(list(tmp_path.iterdir()))}"
            found = read_means(runs, qrels, measures, reading=reading, per_query=folder)
            assert found is not None
            assert json.dumps(found.to_dict()) == json.dumps(whole.to_dict())
            assert found.to_text(100) == whole.to_text(100)
            assert rows_in(folder) == expected
            assert (folder / "1" / "part-0.parquet").read_bytes() == (
                tmp_path / "whole" / "1" / "part-0.parquet"
            ).read_bytes()


def test_few_run_rows_and_many_labels(tmp_path, steps):
    """A run of one part under labels of many: it is read again for each, and nothing counts twice."""
    write_sorted(tmp_path, runs=1)
    frame = pl.read_parquet(tmp_path / "a" / "*.parquet").head(40)
    (tmp_path / "short").mkdir()
    frame.write_parquet(tmp_path / "short" / "x.parquet")
    run, qrels = str(tmp_path / "short"), str(tmp_path / "qrels")
    found = read_means([run], qrels, MEASURES, reading=ReadOptions(part_rows=50))
    assert found is not None
    assert found.to_dict() == evaluate([run], qrels, measures=MEASURES).to_dict()
    assert found.facts[0].extra_queries > 0


def test_progress(tmp_path, steps):
    runs, told = write_sorted(tmp_path), []
    read_means(
        runs, str(tmp_path / "qrels"), SHORT, reading=ReadOptions(part_rows=50), progress=lambda *one: told.append(one)
    )
    assert told == [(place, len(told)) for place in range(1, len(told) + 1)]


def test_where_it_cannot_be_done(tmp_path, monkeypatch):
    runs, qrels = write_sorted(tmp_path / "sorted"), str(tmp_path / "sorted" / "qrels")
    write_both(tmp_path)
    asked = partial(read_means, measures=SHORT, reading=ReadOptions(part_rows=20))
    assert asked(runs, qrels) is not None
    assert asked([*runs, str(tmp_path / "text" / "a")], qrels) is None
    assert asked([str(tmp_path / "parquet" / "a")], str(tmp_path / "text" / "qrels")) is None
    assert asked([{"1": {"d1": 1.0}}], qrels) is None
    assert asked(runs, qrels, reading=ReadOptions(part_rows=10_000)) is None
    assert asked(runs, qrels, measures=[parse_measure("SetP")]) is None
    disorderly = ([str(tmp_path / "parquet" / "a")], str(tmp_path / "parquet" / "qrels"))
    assert asked(*disorderly) is None
    swapped = pl.read_parquet(tmp_path / "sorted" / "a" / "*.parquet").reverse()
    (tmp_path / "swapped").mkdir()
    swapped.write_parquet(tmp_path / "swapped" / "x.parquet")
    assert asked([str(tmp_path / "swapped")], qrels) is None
    monkeypatch.setattr(sharded_runs, "MOST_ROWS_AT_ONCE", 100)
    for some, labels in (([str(tmp_path / "swapped")], qrels), disorderly):
        with pytest.raises(InputError, match=r"judgments, too many for memory; expected queries in one order"):
            asked(some, labels)


class Watched(HereEngine):
    """This process, counting the parts that it has done."""

    done = 0

    def scored(self, units, qrels):
        for part in super().scored(units, qrels):
            self.done += 1
            yield part


def test_a_run_that_is_in_order_only_between_its_parts(tmp_path):
    """Seen when the part is read, and then the labels are read whole."""
    (run,) = write_sorted(tmp_path, runs=1, queries=30)
    frame = pl.read_parquet(f"{run}/*.parquet")
    moved = pl.concat([frame[8:32], frame[:8], frame[32:]])
    (tmp_path / "moved").mkdir()
    moved.write_parquet(tmp_path / "moved" / "x.parquet")
    engine = Watched()
    reading = ReadOptions(part_rows=16, engine=engine)
    assert read_means([str(tmp_path / "moved")], str(tmp_path / "qrels"), SHORT, reading=reading) is None
    assert engine.done == 1
