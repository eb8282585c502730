"""The ir_metadata of a run: YAML in the comments at the beginning of its file, or in `ir-metadata.yml` beside it.

It comes from strangers. YAML is taken event by event, so that nothing is made of a tag, an alias or a deep nesting:
they are faults. Values are null, true, false, numbers and text as YAML 1.2 has them: a commit 0123 stays text, and so
does a date.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from runoff.errors import InputError, UsageError
from runoff.files.problems import quoted
from runoff.files.recognise import recognised
from runoff.files.streams import (
    COMPRESSIONS,
    HEAD_BYTES,
    Source,
    is_regular_file,
    peeked,
    read_chunks,
    read_whole,
    source_name,
)
from runoff.tables.run_metadata import field_text

BESIDE: Final = ("ir-metadata.yml", "ir-metadata.yaml", "ir_metadata.yml", "ir_metadata.yaml")
"""The names of a file beside a run."""
METADATA: Final = "metadata.json"
"""What a team says of a submission, in runoff's own form: `submission_folder`."""
LARGEST: Final = 1 << 20
DEEPEST: Final = 16
MOST_VALUES: Final = 100_000
_START: Final = re.compile(rb"#[ \t]*ir_metadata\.start[ \t\r]*\n")
_END: Final = re.compile(rb"#[ \t]*ir_metadata\.end[ \t\r]*(?:\n|$)")
_COMMENTS: Final = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*(?:[ \t\r]*#[^\n]*$)?")
_BARE_MARK: Final = re.compile(r"(?m)^#?[ \t]*ir_metadata\.(?:start|end)[ \t\r]*$")
_WHOLE: Final = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})", re.ASCII)
_DECIMAL: Final = re.compile(r"[-+]?\d{1,17}\.\d{1,17}(?:[eE][-+]\d{1,2})?", re.ASCII)
_WORDS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_UNSHOWN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def read_metadata(source: Source) -> dict[str, Any]:
    """What a run file says of itself in its header, or else in the file beside it; empty if nothing.

    A file beside says it of the one run that has this ending in the folder, or of the run whose name is its `tag`.
    """
    if isinstance(source, bytes) or is_regular_file(source):
        return read_header(source) or read_metadata_beside(source)
    return {}


def read_header(source: Source) -> dict[str, Any]:
    """What a run file says of itself in its header; empty if nothing."""
    with peeked(source) as (head, _):
        return metadata_of_head(head, source_name(source))


def metadata_of_head(head: bytes, name: str) -> dict[str, Any]:
    """The header in the first bytes of a file; empty if there is none."""
    header = _header(head)
    if header is None:
        return {}
    begin, end = header
    line = head.count(b"\n", 0, begin)
    if end < 0:
        problem = (
            f"{name}:{line}: the header that begins here has no end; expected a line '# ir_metadata.end' before the "
            f"first ranked document, within {HEAD_BYTES:,} bytes; add it, or shorten the header"
        )
        raise InputError([problem])
    lines = [text.lstrip(b" \t").removeprefix(b"#") for text in head[begin:end].split(b"\n")]
    if all(text[:1] in (b"", b" ", b"\r") for text in lines):
        lines = [text[1:] if text[:1] == b" " else text for text in lines]
    return _parsed(b"\n".join(lines), name, lines_before=line)


def read_metadata_beside(source: Source) -> dict[str, Any]:
    """What the `ir-metadata.yml` beside a run says of it; empty if there is none, or if it is of another run."""
    if not isinstance(source, (str, os.PathLike)) or not is_regular_file(source):
        return {}
    run = Path(source)
    place = next((path for name in BESIDE if (path := run.parent / name).is_file()), None)
    if place is None:
        return {}
    metadata = read_metadata_file(place)
    return metadata if field_text(metadata, "tag") in _names(run) or _is_only_run(run) else {}


def read_metadata_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The metadata in a file of its own."""
    return _parsed(read_whole(path, max_bytes=LARGEST), os.fspath(path))


def write_metadata(source: Source, target: str | os.PathLike[str] | BinaryIO, metadata: Mapping[str, Any]) -> None:
    """Write a run with these metadata as its header, in place of the one that it has; every other line is unchanged.

    source  a run in lines of text, compressed or not
    target  a new file, or one that is open as bytes; it is not compressed
    """
    header = render_header(metadata)
    with peeked(source) as (head, rest):
        if head.startswith(b"PAR1") or recognised(head, "run", source_name(source)) is not None:
            raise UsageError(
                f"{source_name(source)}: not a run in lines of text, so it can have no header; expected a TREC or MS "
                f"MARCO run; write {BESIDE[0]} beside it"
            )
        if hasattr(target, "write"):
            _copy(rest, cast("BinaryIO", target), header)
            return
        try:
            with Path(target).open("xb") as file:
                _copy(rest, file, header)
        except FileExistsError:
            raise UsageError(f"{target}: is there already; expected a new file; name another or move it away") from None


def render_header(metadata: Mapping[str, Any]) -> bytes:
    """The lines of a header, from `# ir_metadata.start` to `# ir_metadata.end`; nothing without metadata."""
    if not metadata:
        return b""
    import yaml

    text = yaml.safe_dump(dict(metadata), sort_keys=False, allow_unicode=True, width=LARGEST)
    lines = ["ir_metadata.start", *text.splitlines(), "ir_metadata.end"]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines).encode()


def _copy(source: Source, target: BinaryIO, header: bytes) -> None:
    target.write(header)
    is_first = True
    for chunk in read_chunks(source):
        content = chunk.bytes.tobytes()
        if is_first and (old := _header(content)) is not None:
            begin, end = old
            stop = _END.match(content, end) if end >= 0 else None
            start = content.rindex(b"#", 0, begin)
            content = content[:start] + content[stop.end() :] if stop else content
        is_first = False
        target.write(content)


def _header(head: bytes) -> tuple[int, int] | None:
    """Where the YAML of a header begins, and where its last line does, -1 without one; None without a header."""
    match = _COMMENTS.match(head)
    comments = match[0] if match else b""
    start = _START.search(comments)
    if start is None:
        return None
    end = _END.search(comments, start.end())
    return start.end(), end.start() if end else -1


def _names(run: Path) -> tuple[str, ...]:
    """The name of a file, without the ending of its compression, and without its own."""
    plain = Path(run.stem if run.suffix in COMPRESSIONS else run.name)
    return run.name, plain.name, plain.stem


def _is_only_run(run: Path) -> bool:
    """Whether no other file of the folder has its ending."""
    ending = Path(_names(run)[1]).suffix
    return not any(
        other.name not in (*BESIDE, METADATA, run.name) and Path(_names(other)[1]).suffix == ending
        for other in run.parent.iterdir()
        if other.is_file() and not other.name.startswith(".")
    )


def _parsed(content: bytes, name: str, *, lines_before: int = 0) -> dict[str, Any]:
    """The mapping in some YAML; a fault names its line in the file."""

    def fault(line: int, wrong: str, expected: str, fix: str) -> InputError:
        return InputError([f"{name}:{lines_before + line}: {wrong}; expected {expected}; {fix}"])

    if len(content) > LARGEST:
        raise fault(1, f"{len(content):,} bytes of metadata", f"{LARGEST:,} at most", "leave out long lists")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise fault(line, "bytes that are not UTF-8", "YAML", "convert the file") from None
    unshown = _UNSHOWN.search(text)
    if unshown:
        line = text.count("\n", 0, unshown.start()) + 1
        raise fault(line, f"the character U+{ord(unshown[0]):04X}", "text", "remove it")
    import yaml

    text = _BARE_MARK.sub("", text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = _built(yaml.parse(text, Loader=loader), fault)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        wrong = f"not YAML ({getattr(error, 'problem', None) or 'it cannot be read'})"
        raise fault(mark.line + 1 if mark else 1, wrong, "lines such as 'tag: bm25'", "fix the line") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise fault(1, "metadata that are not a mapping", "lines such as 'tag: bm25'", "fix them")
    return value


def _built(events: Iterator[Any], fault: Callable[[int, str, str, str], InputError]) -> Any:
    """The value that the events of one document make; a loop with its own stack, whatever the nesting."""
    root: list[Any] = []
    open_: list[tuple[Any, list[str]]] = [(root, [])]  # lists and mappings, each with the key that waits for its value
    count = 0
    for event in events:
        kind, line = type(event).__name__, event.start_mark.line + 1
        if kind == "AliasEvent" or getattr(event, "anchor", None) is not None:
            raise fault(line, "an anchor (&) or alias (*)", "plain values", "write the value out")
        if getattr(event, "tag", None) is not None:
            raise fault(line, f"the tag {quoted(event.tag)}", "plain values", "remove it")
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            open_.pop()
            continue
        if kind not in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
            if kind == "DocumentStartEvent" and root:
                raise fault(line, "a second document", "one", "remove it and the line '---'")
            continue
        count += 1
        if count > MOST_VALUES or len(open_) > DEEPEST:
            is_deep = len(open_) > DEEPEST
            wrong = f"values nested more than {DEEPEST} deep" if is_deep else f"more than {MOST_VALUES:,} values"
            raise fault(line, wrong, "a description of the run", "shorten it")
        holder, waiting = open_[-1]
        if isinstance(holder, dict) and not waiting:
            waiting.append(_key(event, kind, holder, fault))
            continue
        value: Any = _scalar(event) if kind == "ScalarEvent" else {} if kind == "MappingStartEvent" else []
        if isinstance(value, str) and (bad := _UNSHOWN.search(value)):
            raise fault(line, f"the character U+{ord(bad[0]):04X}", "text", "remove it")
        if isinstance(holder, dict):
            holder[waiting.pop()] = value
        else:
            holder.append(value)
        if kind != "ScalarEvent":
            open_.append((value, []))
    return root[0] if root else None


def _key(event: Any, kind: str, holder: Mapping[str, Any], fault: Callable[[int, str, str, str], InputError]) -> str:
    line = event.start_mark.line + 1
    key = event.value if kind == "ScalarEvent" else ""
    if not key.strip() or not key.isprintable():
        raise fault(line, "a key that is not a word", "a key such as 'tag'", "fix it")
    if key in holder:
        raise fault(line, f"the key {quoted(key)} comes twice", "every key once", "remove one")
    return str(key)


def _scalar(event: Any) -> str | int | float | bool | None:
    text = str(event.value)
    if not event.implicit[0]:  # between quotes, or a block of text
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text
