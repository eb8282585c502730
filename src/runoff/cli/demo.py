"""`runoff demo`: a simulated leaderboard with a known truth."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import output_options, write_result


@click.command(epilog="\b\nExample:\n  runoff demo my-demo --seed 7")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="runoff-demo", metavar="[DIR]")
@output_options
def demo(folder: Path, format_name: str, output: Path | None, seed: int, quiet: bool) -> None:  # noqa: ARG001
    """Simulate a leaderboard with a known truth in DIR (runoff-demo), score it and compare with the truth."""
    from runoff.workflows.demo import run_demo

    write_result(run_demo(folder, seed=seed), format_name, output)
