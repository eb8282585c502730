"""Writing files that appear, or change, only when they are complete."""

from __future__ import annotations

import os
from pathlib import Path

from runoff.errors import UsageError


def write_whole(output: Path, content: bytes) -> None:
    """Put some bytes into a file that appears, or changes, only when it is complete."""
    try:
        if output.exists() and not output.is_file():  # a pipe or a device, which must not be replaced
            output.write_bytes(content)
        else:
            _replace(output.resolve(), content)
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written ({error.strerror}); expected a file in a folder that is there and can be "
            "written to; name another"
        ) from None


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside its final place and move it there, so that nobody sees half of it."""
    import tempfile

    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:99]}.", delete=False) as file:
        beside = Path(file.name)
        try:
            file.write(content)
            file.close()
            beside.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
