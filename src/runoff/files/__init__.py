"""Files into tables; the only folder that parses."""

from runoff.files.qrels import read_qrels
from runoff.files.query_list import read_query_list
from runoff.files.runs import read_run, read_serps, run_name
from runoff.files.score_matrix import read_scores

__all__ = ["read_qrels", "read_query_list", "read_run", "read_scores", "read_serps", "run_name"]
