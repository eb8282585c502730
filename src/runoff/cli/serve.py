"""`runoff serve`: the web leaderboard."""

from __future__ import annotations

from pathlib import Path

import click

from runoff.cli.options import PRESENT_FILE, settings_of, site_options


@click.command(
    epilog="""\b
Examples:
  runoff serve --board my-board/board.toml --port 8080
  runoff serve --database postgresql://runoff@localhost/runoff --workers 2"""
)
@site_options
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option(
    "--base-url", metavar="URL", help="The address at which people reach the server; https makes cookies secure."
)
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="Processes that score runs; with 0, a thread of the server scores them.",
)
@click.option(
    "--board",
    "boards",
    multiple=True,
    type=PRESENT_FILE,
    metavar="FILE",
    help="Make a board from this board.toml unless it exists; it is named after its folder.",
)
@click.option(
    "--organiser",
    default="organiser@example.org",
    show_default=True,
    metavar="EMAIL",
    help="Whom the one-time link is for; it is printed as long as there is no organiser.",
)
def serve(
    *,
    config: Path | None,
    database: str | None,
    folder: Path | None,
    host: str,
    port: int,
    base_url: str | None,
    workers: int,
    boards: tuple[Path, ...],
    organiser: str,
) -> None:
    """Serve leaderboards: pages, the API, and the scoring of runs.

    The first start makes the database and prints a one-time link for the organiser.
    """
    from dataclasses import replace

    settings = settings_of(config, database=database, folder=folder, base_url=base_url)
    from runoff.server.site import SiteSettings
    from runoff.server.web.server import serve as run

    if settings.base_url == SiteSettings.base_url:
        settings = replace(settings, base_url=f"http://{host}:{port}")
    run(settings, host=host, port=port, workers=workers, boards=boards, organiser=organiser, say=click.echo)
