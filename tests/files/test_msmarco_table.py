"""The public table of the MS MARCO document leaderboard."""

from datetime import date

from runoff.files import board_of_toml, read_msmarco_table, render_board
from runoff.tables import BoardRun
from tests.files.samples import problems_of

HEADER = "id,date,,description,team,paper,code,type,MRR@100 (Dev),MRR@100 (Eval),tweet\n"


def test_a_table():
    text = (
        HEADER
        + '\n1a,2020/08/11,🏛,"Indri, plain",Organisers,,,full ranking,,0.192,7\n2,2021/02/10,🏆,x,A,,,,.47,0.416,\n'
    )
    board = read_msmarco_table(text.encode("utf-8-sig"), title="T")
    assert (board.title, board.measure) == ("T", "RR@100")
    assert board.runs == (
        BoardRun(
            name="1a",
            date=date(2020, 8, 11),
            description="Indri, plain",
            team="Organisers",
            baseline=True,
            scores={"public": 0.192},
        ),
        BoardRun(
            name="2", date=date(2021, 2, 10), description="x", team="A", scores={"development": 0.47, "public": 0.416}
        ),
    )


def test_faults():
    text = HEADER + "a,2020/13/11,,,,,,,,0.1,\na,2020/08/11,,,,,,,x,0.1,\nb,2020/08/11\n,2020/08/11,,,,,,,,nan,\n"
    assert problems_of(read_msmarco_table, text.encode()) == [
        "<bytes>:2: date '2020/13/11' is not a date; expected one such as 2021/02/10; fix the row",
        "<bytes>:3: run 'a' is listed twice, first in line 2; expected every run once; remove one of the rows",
        "<bytes>:3: MRR@100 (Dev) 'x' is not a finite number; expected one such as 0.42; fix the row",
        "<bytes>:4: 2 fields; expected 11 as in the first row; fix or remove the row",
        "<bytes>:5: the id is empty; expected the name of a run; fix the row",
        "<bytes>:5: MRR@100 (Eval) 'nan' is not a finite number; expected one such as 0.42; fix the row",
    ]


def test_another_file():
    columns = "expected id, date, a nameless one, description, team and scores such as 'MRR@100 (Eval)'"
    assert problems_of(read_msmarco_table, b"query_id,bm25\nq,1\n") == [
        f"<bytes>:1: the columns are 'query_id', 'bm25'; {columns}; download the table again"
    ]
    assert problems_of(read_msmarco_table, HEADER.encode()) == [
        "<bytes>: the table has no rows; expected runs with scores; download it again"
    ]
    assert problems_of(read_msmarco_table, b'"a') == [
        "<bytes>: not a CSV file (unexpected end of data); expected a leaderboard's table; download it again"
    ]


def test_the_real_table(shared_data):
    board = read_msmarco_table(shared_data / "msmarco" / "document-leaderboard.csv")
    assert len(board.runs) == 117
    assert [run.name for run in board.runs if run.baseline] == ["20200811a", "20200811b", "20200811c"]
    shown = [len(board.published(name)) for name in ("public", "development", "private")]
    assert shown == [117, 96, 0]
    assert board_of_toml(render_board(board)) == board
