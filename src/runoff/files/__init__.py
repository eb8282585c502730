"""Files into tables; the only folder that parses."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "runoff.files.board_text": ("render_board", "write_board"),
    "runoff.files.board_toml": ("board_of_toml", "read_board"),
    "runoff.files.judged_pairs": ("render_judged_pairs",),
    "runoff.files.judgment_table": ("render_judgment_csv",),
    "runoff.files.judgments": ("read_judgments",),
    "runoff.files.label_studio": ("render_label_studio",),
    "runoff.files.msmarco_table": ("read_msmarco_table",),
    "runoff.files.mturk_tasks": ("render_mturk_csv", "render_mturk_page"),
    "runoff.files.qrels": ("read_qrels",),
    "runoff.files.query_list": ("read_query_list",),
    "runoff.files.run_folder": ("read_run_folder",),
    "runoff.files.runs": ("read_run", "read_serps", "run_name"),
    "runoff.files.score_matrix": ("read_scores",),
    "runoff.files.task_sheets": ("render_task_jsonl", "render_task_sheet"),
    "runoff.files.task_table": ("read_tasks", "render_tasks"),
    "runoff.files.texts": ("Texts", "read_texts"),
    "runoff.files.trec_prefs": ("render_trec_prefs",),
}
"""Each name's module, which is imported when the name is first used: most commands need few of them."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME_OF)  # names are listed once


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
