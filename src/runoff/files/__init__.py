"""Files into tables; the only folder that parses."""

from runoff.files.board_text import render_board, write_board
from runoff.files.board_toml import board_of_toml, read_board
from runoff.files.judged_pairs import render_judged_pairs
from runoff.files.judgment_table import render_judgment_csv
from runoff.files.judgments import read_judgments
from runoff.files.label_studio import render_label_studio
from runoff.files.msmarco_table import read_msmarco_table
from runoff.files.mturk_tasks import render_mturk_csv, render_mturk_page
from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.files.run_folder import read_run_folder
from runoff.files.runs import read_run, read_serps, run_name
from runoff.files.score_matrix import read_scores
from runoff.files.task_sheets import render_task_jsonl, render_task_sheet
from runoff.files.task_table import read_tasks, render_tasks
from runoff.files.texts import Texts, read_texts
from runoff.files.trec_prefs import render_trec_prefs

__all__ = [
    "Texts",
    "board_of_toml",
    "read_board",
    "read_judgments",
    "read_msmarco_table",
    "read_qrels",
    "read_query_list",
    "read_run",
    "read_run_folder",
    "read_scores",
    "read_serps",
    "read_tasks",
    "read_texts",
    "render_board",
    "render_judged_pairs",
    "render_judgment_csv",
    "render_label_studio",
    "render_mturk_csv",
    "render_mturk_page",
    "render_task_jsonl",
    "render_task_sheet",
    "render_tasks",
    "render_trec_prefs",
    "run_name",
    "write_board",
]
