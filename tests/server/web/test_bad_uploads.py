"""Bad uploads through the API, the form and broken connections: told in words, never a fault, and nothing is kept."""

from __future__ import annotations

import io
import itertools
import json
import random
import socket
import subprocess
import sys
import zipfile

import polars as pl
import pytest

from tests.server.cases.served import PUBLIC, Served, run_text
from tests.server.web.bombs import LINE, PACKERS, bomb
from tests.server.web.real import RealServer, token_of, wait_until
from tests.server.web.serving import API

SCRIPT = "<script>alert(1)</script>"


def parquet(rows=200):
    buffer = io.BytesIO()
    names = [f"{PUBLIC[row % len(PUBLIC)]}" for row in range(rows)]
    pl.DataFrame(
        {"query_id": names, "doc_id": [f"d{row}" for row in range(rows)], "score": [float(row) for row in range(rows)]}
    ).write_parquet(buffer)
    return buffer.getvalue()


def zipped(name):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, run_text(1))
    return buffer.getvalue()


GOOD = run_text(1)
BAD = {
    "empty": (b"", "empty"),
    "no run": (b"hello\n", "unknown run format"),
    "a zip": (zipped("../../etc/passwd"), "a.run"),
    "a short line": (GOOD + "q1 Q0 d\n", f"a.run:{GOOD.count(chr(10)) + 1}: "),
    "a huge line": (b"q1 Q0 " + b"d" * 2_000_000 + b" 1 1.0 x\n", "a line is longer than 1,048,576 bytes"),
    "no newline at all": (b"x" * 2_500_000, "a line is longer"),
    "another board": (GOOD.replace("q", "other"), "no query of this file is one of board 'trees'; expected ids such"),
    "a bad score": (GOOD + f"{PUBLIC[0]} Q0 zz 1 {SCRIPT} x\n", ":"),
    "a NUL": (GOOD + "q1 Q0 d\0 1 1.0 x\n", ":"),
    "no UTF-8": (GOOD.encode() + b"q1 Q0 d\xff 1 1.0 x\n", ":"),
    "half a gz": (PACKERS["gz"](GOOD.encode())[:-20], "ends too early"),
    "a gz with a flipped bit": (PACKERS["gz"](GOOD.encode())[:-6] + b"\0\0\0\0\0\0", "cannot be read"),
    "half a zst": (PACKERS["zst"](GOOD.encode())[:-20], "a.run: "),
    "half a Parquet": (parquet()[:-300], "a.run: "),
}
READ_ALONE = {
    "a huge line",
    "no newline at all",
    "half a gz",
    "a gz with a flipped bit",
    "half a zst",
    "half a Parquet",
}
"""Large, packed or in columns: these are sent to a server that reads them in processes of their own, as all do."""


def told_by_both(serving, names, by_form):
    csrf = serving.sign_in(serving.served.member)
    before = serving.everything()
    for name in names:
        content, message = BAD[name]
        assert message in "\n".join(serving.refused(content)), name
        if name not in by_form:
            continue
        form = {"csrf": csrf, "key": "k", "action": "submit", "name": "n"}
        answer = serving.client.post("/boards/trees/submit", data=form, files={"file": ("a.run", content)})
        assert answer.status_code == 422, name
        assert "Nothing was submitted" in answer.text, name
        assert SCRIPT not in answer.text, name
        assert serving.everything() == before, name


def test_bad_files_are_told_and_nothing_is_kept(serving):
    told_by_both(serving, set(BAD) - READ_ALONE, set(BAD))


def test_bad_files_of_other_kinds_are_told_and_nothing_is_kept(apart):
    told_by_both(apart, READ_ALONE, {"half a gz"})


@pytest.mark.proof
def test_bad_files_of_every_kind_are_told_by_the_form(apart):
    told_by_both(apart, set(BAD), set(BAD))


def test_html_in_ids_is_told_escaped(serving):
    csrf = serving.sign_in(serving.served.member)
    text = f"{PUBLIC[0]} Q0 {SCRIPT}\t1 1.0 x\n{SCRIPT} Q0 d 1 nan {SCRIPT}\n"
    form = {"csrf": csrf, "key": "k", "action": "check", "name": SCRIPT, "description": SCRIPT, "paper": SCRIPT}
    answer = serving.client.post("/boards/trees/submit", data=form, files={"file": (SCRIPT, text)})
    assert SCRIPT not in answer.text
    assert "&lt;script&gt;" in answer.text


def test_text_that_is_none_is_refused(serving):
    before = serving.everything()
    for key, text in itertools.product(["name", "description", "paper", "team"], ["\0", "\x1b[31m", "\ud800"]):
        answer = serving.send(GOOD, said=json.dumps({"name": "n", key: f"a{text}b"}))
        assert answer.status_code in {403, 422}, (key, text, answer.text)
        assert serving.everything() == before, (key, text)


def test_metadata_of_the_wrong_kind_is_refused(serving):
    before = serving.everything()
    for said in ['{"name": ' * 3000, '{"name": {"a": [1]}}', '{"anonymous": 1}', '{"more": {}}', "1e999"]:
        answer = serving.send(GOOD, said=said)
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith("metadata")
        assert serving.everything() == before, said[:40]


def flips(serving, count):
    draw, good, seen = random.Random(7), parquet(), set()
    for _ in range(count):
        bad = bytearray(good)
        for _ in range(draw.choice([1, 2, 8])):
            bad[draw.randrange(4, len(bad))] ^= 1 << draw.randrange(8)
        before = serving.everything()
        answer = serving.send(bytes(bad), dry_run="true")
        assert answer.status_code == 200, answer.text
        assert serving.everything() == before
        seen.add(answer.json()["is_fine"])
    return seen


def test_flipped_bits_in_parquet_end_nothing(apart):
    assert False in flips(apart, 3)


@pytest.mark.proof
def test_flipped_bits_in_parquet_end_nothing_at_length(apart):
    assert flips(apart, 200) == {True, False}


MEASURE = """
import re, sys, time
from pathlib import Path
from runoff.errors import InputError
from runoff.files.qrels import read_qrels
from runoff.tables.settings import BoardSettings
from runoff.server.site import SiteSettings
from runoff.server.cases.uploads.run import readable_run, score_upload
path, limit = Path(sys.argv[1]), SiteSettings().read_limit
board = BoardSettings(slug="a", title="A", measure="RR@10")
begin = time.perf_counter()
try:
    with readable_run(path, called="b.run", max_bytes=limit) as found:
        score_upload(found, read_qrels(b"q1 0 d1 1\\n"), board, name="b", max_bytes=limit)
except InputError as error:
    print(error)
# The most that this program took; getrusage would tell what the program that started it had taken, too.
most = re.search("VmHWM:\\\\s+(\\\\d+)", Path("/proc/self/status").read_text())[1]
print(most, time.perf_counter() - begin, path.stat().st_size)
"""


def measured(tmp_path, content):
    """What reading says, and how much memory it took, in bytes; in a process of its own."""
    file = tmp_path / "bomb"
    file.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(file)], capture_output=True, text=True, check=True, timeout=600
    )
    text, _, numbers = done.stdout.strip().rpartition("\n")
    memory, seconds, size = numbers.split()
    print(f"{float(seconds):.1f} s, {int(memory) / 1024:.0f} MB for {int(size):,} bytes: {text[:90]}")  # noqa: T201
    return text, int(memory) * 1024


def test_a_bomb_of_10_gb_is_left_early(tmp_path):
    text, memory = measured(tmp_path, bomb("zst"))
    assert text.startswith("b.run: ")
    assert memory < 1_000_000_000


@pytest.mark.proof
@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("line", [LINE, b"\0" * 17, b"x" * 17], ids=["a run", "zeros", "one line"])
def test_every_bomb_of_10_gb_is_left_early(tmp_path, kind, line):
    text, memory = measured(tmp_path, bomb(kind, line))
    assert text.startswith("b.run: ")
    assert memory < 1_000_000_000


@pytest.mark.proof
def test_a_bomb_of_distinct_lines_is_left_early(tmp_path):
    pieces = (b"".join(b"q%d Q0 d%d 1 1.0 x\n" % (q, d) for d in range(1000)) for q in range(3000))
    text, memory = measured(tmp_path, PACKERS["xz"](b"".join(pieces)))
    assert memory < 2_000_000_000, text


def raw(port, *blocks, cut=False):
    """What a server answers to bytes that are sent as they are; with `cut` the connection ends behind them."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        for block in blocks:
            connection.sendall(block)
        if cut:
            connection.shutdown(socket.SHUT_WR)
        found = b""
        while block := connection.recv(1 << 16):
            found += block
    return found


def test_uploads_that_break_off_leave_nothing(database, database_url, tmp_path):
    served = Served.made_in(database, tmp_path, runs=1)
    token = token_of(served)
    body = f'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{GOOD}'.encode()
    end = b"\r\n--b--\r\n"
    start = (
        f"POST {API}/boards/trees/runs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n"
    ).encode()
    chunked = start + b"Transfer-Encoding: chunked\r\n\r\n"

    def sized(length):
        return start + b"Content-Length: %d\r\n\r\n" % length

    def chunk(content):
        return b"%x\r\n%s\r\n" % (len(content), content)

    with RealServer(database_url, served.files.folder, workers=0) as server:
        files = sorted(served.files.hashes())
        cut = raw(server.port, sized(len(body + end)), body[:500], cut=True)
        assert b" 202 " not in cut
        longer = raw(server.port, sized(len(body + end) + 10), body + end, cut=True)
        assert b" 202 " not in longer
        shorter = raw(server.port, sized(len(body) - 50), body + end)
        assert b" 422 " in shorter
        assert b"the form ends too early" in shorter
        assert b"the form ends too early" in raw(server.port, chunked, chunk(body), b"0\r\n\r\n")
        assert b" 202 " not in raw(server.port, chunked, chunk(body), cut=True)
        assert b" 4" in raw(server.port, chunked, b"zz\r\nxx")[:14]
        assert sorted(served.files.hashes()) == files
        wait_until(lambda: not list(served.files.incoming.iterdir()))  # it finds out by itself that nobody is there
        taken = raw(server.port, chunked, chunk(body[:400]), chunk(body[400:]), chunk(end), b"0\r\n\r\n")
        assert b" 202 " in taken
        assert len(list(served.files.hashes())) == len(files) + 1
    assert "Traceback" not in server.log
