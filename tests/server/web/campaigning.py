"""A site with a board of three scored runs, an organiser who looks at campaigns, and assessors who judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runoff.server.site import Site, SiteSettings
from runoff.server.store.campaigns import Campaign, load_campaigns
from runoff.server.store.database import Database
from runoff.server.store.people import Person, load_person, save_person
from tests.reports.page.parsed import Page
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.cases.reading_here import HERE
from tests.server.web.checks import checked
from tests.server.web.served import CSRF, app_of, ask

ADDRESS = "/boards/trees/campaigns"


@dataclass(frozen=True)
class CampaignSite:
    """What tests of the organisers' pages talk to."""

    site: Site
    campaigned: Campaigned
    organiser: Person

    @classmethod
    def made_in(cls, database: Database, folder: Path) -> CampaignSite:
        campaigned = Campaigned.made_in(database, folder)
        settings = SiteSettings(base_url="http://testserver", upload_limit=3_000_000)
        site = Site(database=database, files=campaigned.files, settings=settings, now=campaigned.now, reader=HERE)
        return cls(site, campaigned, campaigned.read(load_person, campaigned.organiser.id))

    def ask(self, path: str, method: str = "GET", *, person: Person | None = None, **more: Any) -> Any:
        """The answer to one request of the organiser, or of somebody else."""
        return ask(app_of(self.site, person or self.organiser), path, method, **more)

    def see(self, path: str, status: int = 200) -> Page:
        """A page, taken apart."""
        answer = self.ask(path)
        assert answer.status_code == status, answer.text
        return checked(answer.text)

    def post(self, path: str, **fields: Any) -> Any:
        """The answer to a form."""
        return self.ask(path, "POST", data={"csrf": CSRF, **fields})

    def send(self, path: str, **files: tuple[str, str | bytes]) -> Any:
        """The answer to a form with files."""
        return self.ask(path, "POST", data={"csrf": CSRF}, files=files)

    def send_nothing(self, path: str, *names: str) -> Any:
        """The answer to a form with files of which none was chosen, as browsers send it."""
        head = "--b\r\nContent-Disposition: form-data; name="
        parts = [f'{head}"csrf"\r\n\r\n{CSRF}\r\n']
        parts += [f'{head}"{name}"; filename=""\r\nContent-Type: text/plain\r\n\r\n\r\n' for name in names]
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        return self.ask(path, "POST", content=f"{''.join(parts)}--b--\r\n".encode(), headers=kind)

    def member(self) -> Person:
        """Somebody who is no organiser."""
        row: dict[str, Any] = {"email": "ann@example.org", "display_name": "Ann", "role": "member"}
        return self.site.database.write(lambda c: save_person(c, **row, actor=None, now=self.campaigned.now()))

    @property
    def campaigns(self) -> tuple[Campaign, ...]:
        """All campaigns."""
        found: tuple[Campaign, ...] = self.campaigned.read(load_campaigns)
        return found


def words_of(page: Page) -> str:
    """All words of a page."""
    return " ".join(page.words)


def form_of(page: Page) -> dict[str, str]:
    """What a browser would send of the inputs of a page with one form, as they are."""
    inputs = [one for one in page.all("input") if "name" in one and one.get("type") not in ("checkbox", "file")]
    return {str(one["name"]): str(one.get("value") or "") for one in inputs}
