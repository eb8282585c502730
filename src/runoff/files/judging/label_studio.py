"""Tasks for Label Studio, and its JSON export: one pair is one of its tasks.

The format is that of https://labelstud.io/guide/task_format and of its Pairwise tag: under `data` what the page shows,
under `annotations` a result of type `pairwise` whose value is `{"selected": "left"}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from runoff.errors import InputError
from runoff.files.judging.rows import JudgmentRows
from runoff.files.judging.task_table import records_of
from runoff.files.problems import quoted
from runoff.tables.ids import Text
from runoff.tables.preferences import Preferences
from runoff.tables.tasks import Tasks

CONFIG: Final = """\
<View>
  <Header value="$question" />
  <Pairwise name="preferred" toName="left_text,right_text" />
  <View style="display: flex; gap: 1em;">
    <View style="flex: 1;"><Text name="left_text" value="$left_text" /></View>
    <View style="flex: 1;"><Text name="right_text" value="$right_text" /></View>
  </View>
</View>
"""
"""The labeling configuration that shows these tasks."""
_IDS: Final = ("query", "left", "right", "task")


def render_label_studio(tasks: Tasks, queries: Mapping[str, str], docs: Mapping[str, str]) -> Iterator[str]:
    """The lines of a JSON file to import: a list with an object for every pair."""
    yield "[\n"
    for number, data in enumerate(records_of(tasks, queries, docs), start=1):
        yield json.dumps({"data": data}, ensure_ascii=False) + (",\n" if number < len(tasks.pairs) else "\n")
    yield "]\n"


def parse_label_studio(chunks: Iterable[Text], *, where: str, name: str) -> Preferences:
    """The judgments in a JSON export; annotations that were cancelled, and those that choose nothing, are none.

    The assessor is who completed the annotation: an address where the export has one, else a number.
    """
    data = b"".join(chunk.bytes.tobytes() for chunk in chunks)
    try:
        records = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(
            [f"{where}: not JSON ({error}); expected an export of Label Studio; export it again"]
        ) from None
    rows = JudgmentRows(where)
    for number, record in enumerate(records if isinstance(records, list) else [records], start=1):
        task = record.get("data") if isinstance(record, dict) else None
        if not isinstance(task, dict) or any(not task.get(key) for key in _IDS[:3]):
            rows.problems.add(
                number, "no data with query, left and right; expected tasks that `runoff tasks` wrote; export these"
            )
            continue
        for annotation in record.get("annotations") or ():
            if isinstance(annotation, dict) and not annotation.get("was_cancelled"):
                _add(rows, number, task, annotation)
    return rows.table(name, ())


def _add(rows: JudgmentRows, number: int, pair: Mapping[str, Any], annotation: Mapping[str, Any]) -> None:
    chosen = [
        result.get("value", {}).get("selected")
        for result in annotation.get("result") or ()
        if isinstance(result, dict) and result.get("type") == "pairwise"
    ]
    if not chosen:
        return
    if chosen[-1] not in ("left", "right"):
        rows.problems.add(number, f"selected is {quoted(str(chosen[-1]))}; expected left or right; export it again")
        return
    query_id, left, right, task = (str(pair.get(key) or "") for key in _IDS)
    seconds = annotation.get("lead_time")
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    cells = (
        query_id,
        left,
        right,
        chosen[-1],
        "" if who is None else str(who),
        task,
        "" if seconds is None else str(seconds),
        "",
    )
    rows.add(number, cells)
