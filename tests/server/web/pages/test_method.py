"""The page about the method."""

from __future__ import annotations

from tests.server.web.checks import checked
from tests.server.web.served import app_of, ask


def test_every_entry_is_in_the_list_of_contents_and_has_its_source(small):
    page = checked(ask(app_of(small.site), "/method").text)
    links = [str(link["href"])[1:] for link in page.all("a") if str(link["href"]).startswith("#")]
    entries = [link for link in links if link != "content"]
    assert len(entries) == 7
    assert set(entries) <= set(page.ids)
    sources = [paragraph for paragraph in page.all("p") if paragraph.get("class") == "source"]
    assert len(sources) == len(entries)
    words = " ".join(page.words)
    assert all(f"DOI 10.{number}/" in words for number in (48550, 1145, 1093, 1002))
