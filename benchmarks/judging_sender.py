"""Assessors who judge at once over HTTP, each a browser's worth of requests, in a process of its own.

Reads a JSON object from standard input, makes a campaign in the database, lets assessors come in by its link, prints a
line, waits for one, lets them judge for some seconds and prints what happened as JSON. A request's time runs from the
moment at which it is sent until its last byte.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from benchmarks.judging_load import Kept, checked, filled
from runoff.server.store.campaign_links import NewCampaignLink, save_campaign_link
from runoff.server.store.database import open_database
from runoff.server.web.visitors import csrf_of

LOOK_AGAIN: Final = 0.25
"""Seconds after which an assessor who had to wait asks again, if they take no time to think."""


@dataclass
class Sent:
    """What was sent and acknowledged, and how long the answers took."""

    port: int
    slug: str
    think: float
    times: dict[str, list[float]] = field(default_factory=lambda: {"task": [], "choices": [], "done": []})
    kept: Kept = field(default_factory=Kept)
    faults: Counter[str] = field(default_factory=Counter)


class Assessor:
    """A connection and a session."""

    def __init__(self, sent: Sent, number: int) -> None:
        self.sent, self.number = sent, number
        self.draw = random.Random(number)
        self.cookie = ""
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, str, bytes]:
        """Status, head and body of an answer."""
        # The server closes connections that nobody uses.
        if self.streams is None or self.streams[0].at_eof():
            self.streams = await asyncio.open_connection("127.0.0.1", self.sent.port, limit=1 << 22)
        reader, writer = self.streams
        body = urlencode(fields or {}).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
        lines += [f"Cookie: runoff={self.cookie}"] if self.cookie else []
        if fields is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(re.findall(r"(?i)\r\ncontent-length: (\d+)", head)[0])
            return int(head[9:12]), head, await reader.readexactly(length)
        except (OSError, EOFError):
            self.streams = None
            raise

    async def come_in(self, link: str) -> None:
        """Agree to the consent of a link."""
        # A worker id that came in at another campaign is let in only with the session that it had there.
        who = {"worker": f"{self.sent.slug}-W{self.number}", "reference": f"R{self.number}"}
        _, _, page = await self.ask("GET", f"{link}?{urlencode(who)}")
        text = re.findall(r'name="text" value="(\w+)"', page.decode())[0]
        status, head, body = await self.ask("POST", link, {"agree": "yes", "text": text, **who})
        if status != 303:
            raise RuntimeError(f"an assessor cannot come in: {status} {body[:300]!r}")
        self.cookie = re.findall(r"(?i)set-cookie: runoff=([^;]+)", head)[0]

    async def post(self, kind: str, **fields: Any) -> dict[str, Any] | None:
        """Send a form of the campaign; None if it failed."""
        begin = time.perf_counter()
        try:
            status, _, body = await self.ask(
                "POST", f"/judge/{self.sent.slug}/{kind}", {"csrf": csrf_of(self.cookie), **fields}
            )
        except (OSError, EOFError) as error:
            self.sent.faults[f"{kind}: {type(error).__name__}"] += 1
            return None
        finally:
            self.sent.times[kind].append(time.perf_counter() - begin)
        if status != 200:
            self.sent.faults[f"{kind}: {status}"] += 1
            return None
        found: dict[str, Any] = json.loads(body)
        return found

    async def judge(self, until: float) -> None:
        """Do tasks until the time is over."""
        # People do not all come in the same moment.
        await asyncio.sleep(self.draw.uniform(0, self.sent.think))
        while time.perf_counter() < until:
            offer = await self.post("task")
            if offer is None or offer["task"] is None:
                await asyncio.sleep(max(self.sent.think, LOOK_AGAIN))
                continue
            await self.answer(offer["task"], until)

    async def answer(self, task: dict[str, Any], until: float) -> None:
        """Answer the pairs of a task, those of a test rightly, and hand it in."""
        for pair in task["pairs"]:
            if pair["answer"] is not None:
                continue
            if self.sent.think:
                await asyncio.sleep(self.draw.expovariate(1 / self.sent.think))
            left, right = "".join(pair["left"]), "".join(pair["right"])
            side = "right" if left == "off" else "left" if right == "off" else self.draw.choice(("left", "right"))
            row = {"task": task["id"], "pair": pair["id"], "side": side, "key": f"{pair['id']}"}
            # Sent again, it is the same choice.
            while await self.post("choices", **row, seconds=self.sent.think) is None:
                if time.perf_counter() > until:
                    return
                await asyncio.sleep(LOOK_AGAIN)
            self.sent.kept.choices.append((task["id"], pair["id"], side))
            if time.perf_counter() > until:
                return
        if await self.post("done", task=task["id"]) is not None:
            self.sent.kept.ends.append((task["id"], "done"))


async def run(sent: Sent, link: str, assessors: int, seconds: float) -> float:
    """Let everybody come in, wait for a line, and let them judge; return the processor seconds of it."""
    people = [Assessor(sent, number) for number in range(assessors)]
    for one in people:
        await one.come_in(link)
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    spent, until = time.process_time(), time.perf_counter() + seconds
    await asyncio.gather(*(one.judge(until) for one in people))
    return time.process_time() - spent


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    database = open_database(asked["database"])
    campaign, _ = filled(database, asked["way"], asked["queries"], 0)
    token, now = secrets.token_urlsafe(16), datetime.now(UTC)
    link = NewCampaignLink(campaign_id=campaign.id, token=token, site="Bench", most_uses=None)
    database.write(lambda connection: save_campaign_link(connection, link, actor=None, now=now))
    sent = Sent(port=asked["port"], slug=campaign.slug, think=asked["think"])
    cpu = asyncio.run(run(sent, f"/enter/{token}", asked["assessors"], asked["seconds"]))
    found = {"times": sent.times, "faults": dict(sent.faults), "cpu": cpu}
    print(json.dumps({**found, "checked": checked(database, campaign.id, sent.kept)}), flush=True)
    database.close()


if __name__ == "__main__":
    main()
