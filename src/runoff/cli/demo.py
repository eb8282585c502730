"""`runoff demo`: a simulated leaderboard with a known truth."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import FOLDER, output_options
from runoff.cli.output import Output


@click.command(epilog="\b\nExample:\n  runoff demo my-demo --seed 7")
@click.argument("folder", type=FOLDER, default="runoff-demo", metavar="[DIR]")
@click.option("--small", is_flag=True, help="A small board instead: eight runs, one query set, only scored.")
@output_options()
def demo(folder: Path, small: bool, out: Output, seed: int) -> None:
    """Simulate a year of a leaderboard in DIR (runoff-demo), with luck and tricks planted in it, and look for them."""
    if small:
        from runoff.verbs._small_demo import run_small_demo

        out.write(run_small_demo(folder, seed=seed))
        return
    from runoff.simulation.year.cast import make_cast
    from runoff.verbs.demo import demo as make_demo

    with out.progress(len(make_cast()), "reading runs") as progress:
        result = make_demo(folder, seed=seed, progress=progress)
    out.write(result)
