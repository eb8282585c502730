"""`runoff admin`: look after a server from its machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runoff.cli.options import settings_of, site_options

if TYPE_CHECKING:
    from runoff.server.site import Site


class _Job(click.Command):
    """A job of the server; it takes the options that name the server behind its own name too."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        own = len(self.params)
        # To a command, unlike to a function, options are added in the order in which they are applied.
        site_options(self)
        self.params[own:] = reversed(self.params[own:])

    def invoke(self, ctx: click.Context) -> Any:
        """Do the job, at the server that is named last."""
        given = {name: ctx.params.pop(name) for name in ("config", "database", "folder")}
        ctx.obj = {**ctx.obj, **{name: value for name, value in given.items() if value is not None}}
        return super().invoke(ctx)


@click.group(
    epilog="""\b
Examples:
  runoff admin invite ann@example.org --role member
  runoff admin board my-board/board.toml --slug passages
  runoff admin labels passages qrels-2.txt --note "judged again"
  runoff admin backup backups/monday""",
    subcommand_metavar="JOB [ARGUMENTS]...",
)
@site_options
@click.pass_context
def admin(context: click.Context, *, config: Path | None, database: str | None, folder: Path | None) -> None:
    """Look after a server from its machine: people, boards, backups. The server may keep running."""
    context.obj = {"config": config, "database": database, "folder": folder}


admin.command_class = _Job


@admin.command()
@click.argument("email")
@click.option(
    "--role",
    type=click.Choice(["organiser", "member", "assessor"]),
    default="member",
    show_default=True,
    help="What the person may do.",
)
@click.pass_obj
def invite(options: dict[str, Path | str | None], email: str, role: str) -> None:
    """Print a one-time link with which EMAIL makes an account, or chooses a new password."""
    from runoff.server.site import SiteSettings
    from runoff.server.web.server import invite as make

    with _site(options) as site:
        mailed = bool(site.settings.mail)
        click.echo(make(site, email, role, mailed=mailed))
        if site.settings.base_url == SiteSettings.base_url:
            told = "its beginning is the setting base_url, which is not set; set it, or put the real one there"
            click.echo(f"The link is for a server at {SiteSettings.base_url}: {told}.", err=True)
        if mailed:
            click.echo(f"The server mails a link to {email} too.", err=True)


@admin.command()
@click.pass_obj
def people(options: dict[str, Path | str | None]) -> None:
    """List everybody with an account."""
    from runoff.server.store.people import load_people

    with _site(options) as site, site.database.read() as connection:
        for person in load_people(connection):
            closed = "  closed" if person.disabled_at is not None else ""
            click.echo(f"{person.id}  {person.email}  {person.role}  {person.display_name}{closed}")


@admin.command("delete-person")
@click.argument("who", metavar="PERSON")
@click.option("--yes", is_flag=True, help="Do not ask before deleting.")
@click.pass_obj
def delete_person(options: dict[str, Path | str | None], who: str, *, yes: bool) -> None:
    """Delete the data of PERSON, a mail address or a number of `runoff admin people`, for good.

    Name, address, password, tokens, sessions and worker id are deleted. Runs, judgments, pay and the audit log stay
    under a number.
    """
    from runoff.server.cases.boards.memberships import delete_person as delete
    from runoff.server.cases.boards.memberships import find_person

    with _site(options) as site:
        person = find_person(site.database, who)
        if not yes:
            click.confirm(f"Delete the data of {person.display_name} <{person.email}> for good?", abort=True)
        deleted = delete(site.database, person.id, actor=None, now=site.now())
        click.echo(f"Deleted; from now on this is {deleted.display_name!r}. Backups from before still hold the data.")


@admin.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path), metavar="board.toml")
@click.option("--slug", required=True, metavar="NAME", help="The name of the board in its address.")
@click.option("--most", type=click.IntRange(1), default=2, show_default=True, help="Runs a team may submit in 30 days.")
@click.pass_obj
def board(options: dict[str, Path | str | None], file: Path, slug: str, most: int) -> None:
    """Make a board from a board.toml, with its runs; the query set `private` is sealed."""
    from runoff.server.cases.boards.make import make_board

    with _site(options) as site:
        made = make_board(
            site.database, site.files, file, slug=slug, settings={"most": most}, now=site.now(), reader=site.reader
        )
        click.echo(f"Made the board {made.title!r}; its runs wait to be scored: runoff serve or runoff admin work")


@admin.command()
@click.argument("slug", metavar="BOARD")
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path), metavar="[QRELS]", required=False)
@click.option("--name", metavar="NAME", help="The label set; without it, the one that the board ranks by.")
@click.option("--note", default="", help="Where the labels come from.")
@click.option("--private", is_flag=True, help="They are sealed: nobody sees more than means.")
@click.option("--level", type=click.IntRange(1, 127), help="Their relevance level, if it is not that of the board.")
@click.option("--use", type=click.IntRange(1), metavar="VERSION", help="Let the board rank by this version.")
@click.pass_obj
def labels(
    options: dict[str, Path | str | None],
    slug: str,
    file: Path | None,
    *,
    name: str | None,
    note: str,
    private: bool,
    level: int | None,
    use: int | None,
) -> None:
    """List the label versions of BOARD; with QRELS add a version, with --use take one into use."""
    from runoff.server.cases.labels.versions import add_file_labels, label_lines, use_label_version

    with _site(options) as site:
        if file is not None:
            add_file_labels(
                site.database,
                site.files,
                slug,
                file,
                name=name,
                note=note,
                sealed=private,
                relevance_level=level,
                now=site.now(),
                reader=site.reader,
            )
        if use is not None:
            use_label_version(site.database, slug, use, name=name, now=site.now())
        for line in label_lines(site.database, slug):
            click.echo(line)


@admin.command()
@click.pass_obj
def work(options: dict[str, Path | str | None]) -> None:
    """Run the waiting jobs, then exit."""
    from runoff.server.store.submissions import MAIL
    from runoff.server.worker import KINDS, Worker

    done = 0
    with _site(options) as site:
        worker = Worker(site, kinds=(*KINDS, MAIL) if site.settings.mail else KINDS)
        while worker.work_once():
            done += 1
    click.echo(f"{done} jobs done")


@admin.command()
@click.argument("target", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.pass_obj
def backup(options: dict[str, Path | str | None], target: Path) -> None:
    """Copy database and files into DIR, which must be new or empty.

    Files that are damaged or lost are left out and listed; the exit status is 1 then.
    """
    from runoff.phrases import counted, is_or_are
    from runoff.server.store.backup import save_backup

    with _site(options) as site:
        made = save_backup(site.database, site.files, target, now=site.now())
    click.echo(f"{target}: {made.kind} at {made.revision}, {made.files} files")
    if made.not_copied:
        for reason in made.not_copied.values():
            click.echo(reason, err=True)
        count = len(made.not_copied)
        click.echo(f"{counted(count, 'file')} {is_or_are(count)} not in this backup; look in earlier ones.", err=True)
        raise click.exceptions.Exit(1)


@admin.command()
@click.argument("source", type=click.Path(file_okay=False, exists=True, path_type=Path), metavar="DIR")
@click.pass_obj
def restore(options: dict[str, Path | str | None], source: Path) -> None:
    """Put the backup in DIR into an empty database and the folder of files."""
    settings = settings_of(**options)  # type: ignore[arg-type]
    from runoff.server.store.backup import load_missing_files, restore_backup
    from runoff.server.store.database import make_folder_of, open_database, upgrade
    from runoff.server.store.files import FileStore

    make_folder_of(settings.database)
    database, files = open_database(settings.database), FileStore(settings.folder)
    try:
        made = restore_backup(source, database, files)
        upgrade(database)
        missing = load_missing_files(database, files)
    finally:
        database.close()
    click.echo(f"restored {made.kind} at {made.revision}, {made.files} files, {len(missing)} missing")


@contextmanager
def _site(options: dict[str, Path | str | None]) -> Iterator[Site]:
    settings = settings_of(**options)  # type: ignore[arg-type]
    from runoff.server.site import open_site

    site = open_site(settings, new=False)
    try:
        yield site
    finally:
        site.close()
