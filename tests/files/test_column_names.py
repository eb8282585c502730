"""Names of columns: of the field, whatever case and signs; and what they say of a table."""

import pytest

from runoff.errors import InputError
from runoff.files.column_names import DOC_NAMES, QUERY_NAMES, NumberColumn, find_column, number_column_of


@pytest.mark.parametrize(
    "columns, names, found",
    [
        (["query-id", "corpus-id"], QUERY_NAMES, "query-id"),
        (["query-id", "corpus-id"], DOC_NAMES, "corpus-id"),
        (["QueryID"], QUERY_NAMES, "QueryID"),
        (["query", "qid"], QUERY_NAMES, "qid"),
        (["docid", "docno"], DOC_NAMES, "docno"),
        (["Doc Id", "text"], DOC_NAMES, "Doc Id"),
        (["id"], DOC_NAMES, None),
    ],
)
def test_find_column(columns, names, found):
    assert find_column(columns, names) == found


@pytest.mark.parametrize(
    "columns, kind, column",
    [
        (["qid", "docno", "rank", "score"], "run", NumberColumn("score", "score")),
        (["qid", "docno", "Rank"], "run", NumberColumn("Rank", "rank")),
        (["query-id", "corpus-id", "score"], "run", NumberColumn("score", "score", is_either=True)),
        (["query-id", "corpus-id", "score"], "qrels", NumberColumn("score", "grade", is_either=True)),
        (["query-id", "corpus-id", "score", "run"], "run", NumberColumn("score", "score")),
        (["qid", "docno", "score", "label"], "qrels", NumberColumn("label", "grade")),
    ],
)
def test_number_column_of(columns, kind, column):
    assert number_column_of(columns, kind, "x") == column


@pytest.mark.parametrize(
    "columns, kind, hint",
    [
        (["qid", "docno", "label"], "run", "'label' is a column of qrels"),
        (["qid", "docno", "score", "tag"], "qrels", "'tag' is a column of runs"),
        (["qid"], "run", "no column for 'run_score' among 'qid'; expected one called"),
    ],
)
def test_what_is_missing(columns, kind, hint):
    with pytest.raises(InputError, match=hint):
        number_column_of(columns, kind, "x")
