"""`runoff demo`: a simulated leaderboard with a known truth."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import output_options
from runoff.cli.output import run_progress, write_result


@click.command(epilog="\b\nExample:\n  runoff demo my-demo --seed 7")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="runoff-demo", metavar="[DIR]")
@click.option("--small", is_flag=True, help="A small board instead: eight runs, one query set, only scored.")
@output_options
def demo(folder: Path, small: bool, format_name: str, output: Path | None, seed: int, quiet: bool) -> None:
    """Simulate a year of a leaderboard in DIR (runoff-demo), with luck and tricks planted in it, and look for them."""
    if small:
        from runoff.verbs._small_demo import run_small_demo

        write_result(run_small_demo(folder, seed=seed), format_name, output)
        return
    from runoff.simulation.year.cast import make_cast
    from runoff.verbs.demo import demo as make_demo

    with run_progress(len(make_cast()), quiet=quiet, what="reading runs") as progress:
        result = make_demo(folder, seed=seed, progress=progress)
    write_result(result, format_name, output)
