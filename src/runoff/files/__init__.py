"""Files into tables; the only folder that parses."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "runoff.files.board_text": ("render_board", "write_board"),
    "runoff.files.board_toml": ("board_of_toml", "read_board"),
    "runoff.files.judging.judged_pairs": ("render_judged_pairs",),
    "runoff.files.judging.judgments": ("read_judgments",),
    "runoff.files.judging.label_studio": ("render_label_studio",),
    "runoff.files.judging.mturk": ("render_mturk_csv", "render_mturk_page"),
    "runoff.files.judging.table": ("render_judgment_csv",),
    "runoff.files.judging.task_table": ("read_tasks", "render_task_jsonl", "render_task_sheet", "render_tasks"),
    "runoff.files.judging.texts": ("Texts", "read_texts"),
    "runoff.files.judging.trec_prefs": ("render_trec_prefs",),
    "runoff.files.msmarco_table": ("read_msmarco_table",),
    "runoff.files.qrels": ("read_qrels",),
    "runoff.files.query_list": ("read_query_list",),
    "runoff.files.runs": ("read_run", "read_serps", "run_name"),
    "runoff.files.score_matrix": ("read_score_matrix",),
    "runoff.files.submission_folder": ("read_run_folder",),
}
"""Each name's module, which is imported when the name is first used: most commands need few of them."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME_OF)  # names are listed once


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
