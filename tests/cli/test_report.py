"""`runoff report`: a page beside the files, tables and pictures, and the check of a submission."""

import json

import pytest

from tests.verbs.audited import lines_of, write_audited
from tests.verbs.undrawn import undrawn_charts

QUICK = ("--trials", "20", "--splits", "2")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_audited(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def undrawn():
    """The charts of a page are not drawn; `test_tables_and_pictures` draws them."""
    with undrawn_charts():
        yield


def test_a_page(folder, call, undrawn):
    result = call("report", "board.toml", *QUICK)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("tuned 3 is the clear leader")
    assert result.stdout.endswith("\nreport.html\n")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "runoff report board.toml --trials 20 --splits 2 -o report.html" in page
    shown = call("report", "board.toml", *QUICK, "-o", "-")
    assert shown.stdout.replace("-o -", "-o report.html") == page


def test_runs_and_qrels(folder, call, undrawn):
    runs = ("base.run", "fair 1.run")
    result = call("report", *runs, "--qrels", "sparse.txt", "-m", "nDCG@10", "-m", "P@5", *QUICK, "-o", "out.html")
    assert result.returncode == 0
    page = (folder / "out.html").read_text(encoding="utf-8")
    command = "runoff report base.run &#39;fair 1.run&#39; --qrels sparse.txt --measure nDCG@10 --measure P@5"
    assert command in page
    assert "2 runs on 220 queries, by nDCG@10" in page


def test_other_formats_print(folder, call):
    content = json.loads(call("report", "board.toml", *QUICK, "--format", "json").stdout)
    assert content["verdict"]["leader"] == "tuned 3"
    assert not (folder / "report.html").exists()


def test_tables_and_pictures(folder, call):
    result = call("report", "board.toml", *QUICK, "--latex", "tables", "--figures", "new/figures", "--title", "Mine")
    assert result.returncode == 0
    assert (folder / "tables" / "leader-1.tex").read_text(encoding="utf-8").startswith("% needs")
    pictures = sorted(file.name for file in (folder / "new" / "figures").iterdir())
    assert "leader-1-rank_intervals.svg" in pictures
    assert "leader-1-rank_intervals.pdf" in pictures
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<title>Mine: runoff report</title>" in page
    assert page.count("<svg") > 10


def test_a_full_report_is_unfolded(folder, call, undrawn):
    assert call("report", "board.toml", *QUICK, "--full").returncode == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Do the tests repeat?" in page
    assert "<details open>" in page
    assert "runoff report board.toml --trials 20 --splits 2 --full -o report.html" in page


def test_judgments(folder, call, undrawn):
    pairs = ["a1 d-a1 tuned1-1 d-a1", "b2 d-b2 base-1 base-1"]
    (folder / "judged.txt").write_text("".join(f"{line}\n" for line in pairs))
    result = call("report", "board.toml", *QUICK, "--judgments", "judged.txt")
    assert (result.returncode, result.stderr) == (0, "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "labels-f4" in page
    assert "runoff report board.toml --trials 20 --splits 2 --judgments judged.txt -o report.html" in page
    result = call("report", "board.toml", "--judgments", "judged.txt", "--submission", "base.run")
    assert (result.returncode, "leave them out with --submission" in result.stderr) == (2, True)
    (folder / "judged.txt").write_text("other a b a\n")
    result = call("report", "board.toml", *QUICK, "--judgments", "judged.txt")
    assert result.returncode == 2
    assert "none of the 1 judged queries, such as 'other', is in " in result.stderr
    result = call("report", "board.toml", *QUICK, "--tasks", "judged.txt")
    assert (result.returncode, "tasks without judgments" in result.stderr) == (2, True)


def test_a_submission(folder, call):
    (folder / "new.run").write_text("".join(lines_of("tuned 1")))
    arguments = ("report", "board.toml", "--submission", "new.run", "--trials", "20", "--format", "markdown")
    result = call(*arguments, "--exit-code")
    assert result.returncode == 0
    assert "| Rank | " in result.stdout
    broken = (*arguments, "--team", "Tuners", "--date", "2021-01-21", "--name", "tuned 4")
    assert call(*broken).returncode == 0
    assert call(*broken, "--exit-code").returncode == 1
    (folder / "new.run").write_text("x\n")
    result = call(*arguments, "--exit-code")
    assert (result.returncode, result.stderr) == (1, "")
    assert "| Fault of the file | new.run: " in result.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("board.toml", "--qrels", "sparse.txt"), "give RUNs and --qrels FILE, or a board.toml alone"),
        (("base.run",), "give RUNs and --qrels FILE, or a board.toml alone"),
        (("board.toml", "--team", "x"), "go with --submission"),
        (("board.toml", "-m", "RR@10", "--latex", "base.run"), "is a file"),
        (("board.toml", *QUICK, "--latex", "base.run/x"), "cannot be made"),
    ],
)
def test_what_does_not_fit_is_refused(folder, call, arguments, message):
    result = call("report", *arguments)
    assert result.returncode == 2
    assert message in result.stderr


def test_the_example_workflow_calls_options_that_are_there(repository):
    from runoff.cli.report import report

    text = (repository / "examples" / "submission-check.yml").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if "runoff report" in line]
    options = {name for parameter in report.params for name in parameter.opts}
    used = {word for word in line.split() if word.startswith("--")}
    assert used == {"--submission", "--format", "--output", "--exit-code"}
    assert used <= options
    assert "pull_request_target" not in text  # strangers' files must not meet a token that can write code


MEANS = '[[runs]]\nname = "{0}"\ndate = 2021-01-0{1}\nscores = {{ public = {2}, private = {3} }}\n'


def test_published_means_alone(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    runs = "".join(MEANS.format(*run) for run in (("a", 1, 0.3, 0.2), ("b", 2, 0.2, 0.4)))
    (tmp_path / "board.toml").write_text(f'title = "T"\nmeasure = "RR@10"\n{runs}')
    result = call("report", "board.toml", "-o", "page.html")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("b leads 2 runs with a published RR@10 of 0.4000 on the private queries.")
    assert "cannot be said from means" in (tmp_path / "page.html").read_text(encoding="utf-8")
    refused = call("report", "board.toml", "-m", "nDCG@10")
    assert refused.returncode == 2
    assert "this board has published means alone" in refused.stderr
