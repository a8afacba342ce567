"""A simulated evening: at each table one phone scores and four read, at a given speed up to the server's maximum.

A phone makes the requests of its pages. The one that scores posts the form of the hand at every tap and saves, which
brings the next hand's page; it restarts the game when it is won. This page and a board listen to a stream, and request
what has changed when told. The other three open the score sheet once a hand, and sometimes the club's page.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Sequence
from itertools import count
from typing import Any

from scorekeeper.web.hand_entry.warnings import CODES

from .phone import Answer, Failed, Phone, Stream

HAND_SECONDS = 20  # from one hand of a table to the next
SHEETS = 3  # phones per table that read the score sheet, besides the board and the phone that scores
TAP_SECONDS = (6, 8, 10, 12)  # after opening the page: bidder, bid, trump, a point
SAVE_SECONDS = 14
TAPS = ("bidder", "bid", "trump", "point-high")
AS_FAST_AS_IT_GOES = float("inf")
WORDS = {
    "save": "a hand saved",
    "tap": "a tap",
    "page": "a page opened",
    "part": "a page requesting what has changed",
    "game": "a game started",
}


class Night:
    """A simulated evening: its speed and its results.

    `pressure` is the speed relative to real time, `minutes` the evening's length; it stops after `longest` seconds. The
    phones are distributed over the servers at `ports`.
    """

    def __init__(self, ports: Sequence[int], minutes: float, pressure: float, longest: float) -> None:
        self.ports = ports
        self.hands = round(minutes * 60 / HAND_SECONDS)  # per table
        self.pressure = pressure
        self.longest = longest
        self.began = self.seconds = 0.0
        self.took: dict[str, list[float]] = {what: [] for what in WORDS}
        self.errors: Counter[str] = Counter()
        self.saved = 0

    @property
    def requests(self) -> int:
        return sum(map(len, self.took.values()))

    def reached(self, tables: int) -> float:
        """Return the speed of saved hands relative to real time."""
        return self.saved * HAND_SECONDS / tables / self.seconds

    async def at(self, second: float) -> bool:
        """Wait for that second of the evening; False if the time is up before."""
        now = time.monotonic() - self.began
        await asyncio.sleep(max(0.0, second / self.pressure - now))
        return time.monotonic() - self.began < self.longest

    async def moments(self, every: float, offset: float) -> AsyncIterator[float]:
        """Yield the seconds of the evening at which something is repeated, each when it is reached."""
        for number in count():
            second = offset + number * every
            if second >= self.hands * HAND_SECONDS or not await self.at(second):
                return
            yield second

    async def measure(self, what: str, phone: Phone, asked: Awaitable[Answer]) -> Answer | None:
        """Record the time of a response, or the error."""
        start = time.perf_counter()
        try:
            answer = await asked
        except (Failed, OSError, EOFError) as error:
            self.errors[f"{what}: {type(error).__name__} {error}"] += 1
            phone.hang_up()
            return None
        self.took[what].append(time.perf_counter() - start)
        return answer

    async def play(self, tables: Sequence[Table]) -> None:
        """Play the whole evening."""
        self.began = time.monotonic()
        await asyncio.gather(*(phone for table in tables for phone in table.phones(self)))
        self.seconds = time.monotonic() - self.began


class Table:
    """Four players, one of whom scores."""

    def __init__(self, number: int, club: str, form_token: str, cookie: str) -> None:
        self.number, self.club, self.form_token, self.cookie = number, club, form_token, cookie
        self.offset = number * 0.37 % 1 * HAND_SECONDS  # tables are not synchronized
        self.game, self.position = "", 0
        self.is_open = False  # the scoring phone shows the next hand
        self.is_over = False
        self.streams: list[Stream] = []  # of pages that are open
        self.unanswered: dict[str, Any] = {}  # the form of a hand that was sent but not confirmed

    def phones(self, night: Night) -> list[Awaitable[None]]:
        readers = [self.read(night, reader) for reader in range(1, SHEETS + 1)]
        return [self.score(night), self.hear(night), self.show(night), *readers]

    def phone(self, night: Night, number: int) -> Phone:
        return Phone(night.ports[(self.number + number) % len(night.ports)], self.cookie)

    def _signed(self, **fields: Any) -> dict[str, Any]:
        return {"csrf_token": self.form_token, "token": secrets.token_urlsafe(16), **fields}

    async def begin(self, port: int) -> None:
        """Start the table's first game."""
        names = {f"name-{seat}": f"{name} {self.number}" for seat, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)}
        form = self._signed(rules="classic", players="4", dealer="4", do="start", **names)
        self._is_at((await Phone(port, self.cookie).post(f"{self.club}games/new", form)).header("Location"))

    def _is_at(self, next_hand: str) -> None:
        self.game, self.position = next_hand.removesuffix("hands/new"), 1
        self._leave()

    def _leave(self) -> None:
        """Close the pages that show the game."""
        while self.streams:
            self.streams.pop().writer.close()

    # --- the phone that scores ---

    async def score(self, night: Night) -> None:
        phone = self.phone(night, 0)
        async for second in night.moments(HAND_SECONDS, self.offset):
            if not self.is_open:
                page = await night.measure("page", phone, phone.get(f"{self.game}hands/new", 200, 303))
                if page and page.status == 303:  # the game is won but was not restarted
                    await self._start_again(night, phone)
                    continue
            for taps, pause in enumerate(TAP_SECONDS, 1):
                await night.at(second + pause)
                await night.measure("tap", phone, phone.post(f"{self.game}hands/preview", self._form(taps), 200))
            if not await night.at(second + SAVE_SECONDS):
                break
            await self._save(night, phone)
        self.is_over = True
        self._leave()

    def _form(self, taps: int) -> dict[str, Any]:
        """The form of a hand after `taps` taps; the teams win in turn, so that games have realistic lengths."""
        values = (str(self.position % 4 + 1), "3", "H", "B" if self.position % 2 else "A")
        return self._signed(position=str(self.position), **dict(zip(TAPS[:taps], values, strict=False)))

    async def _save(self, night: Night, phone: Phone) -> None:
        """Save the hand; an unconfirmed form is sent again unchanged."""
        self.unanswered = self.unanswered or self._form(3) | {"do": "save", "warned": CODES}
        asked = phone.post(f"{self.game}hands/new", self.unanswered, 200, waits=True)
        saved = await night.measure("save", phone, asked)
        self.is_open = saved is not None and "page" in json.loads(saved.plain())
        if saved is None:
            return
        self.unanswered = {}
        night.saved += 1
        self.position += 1
        if not self.is_open:
            await self._start_again(night, phone)

    async def _start_again(self, night: Night, phone: Phone) -> None:
        again = await night.measure("game", phone, phone.post(f"{self.game}again", self._signed()))
        if again:
            self._is_at(again.header("Location"))

    # --- the phones that read ---

    async def show(self, night: Night) -> None:
        """A board: its page once per game, and its changing part."""
        phone = self.phone(night, 1)
        while not self.is_over:
            await night.measure("page", phone, phone.get(f"{self.game}board"))
            await self._listen(night, phone, "board/now")

    async def hear(self, night: Night) -> None:
        """The head of the page of the phone that scores."""
        phone = self.phone(night, 0)
        while not self.is_over:
            await self._listen(night, phone, f"hands/{self.position}/now")

    async def _listen(self, night: Night, phone: Phone, part: str) -> None:
        """Request a part of a page whenever the game's stream tells of a change, until the game is left."""
        game, shown = self.game, ""
        stream = await Stream.open(phone.port, f"{game}live", self.cookie)
        self.streams.append(stream)
        async for tag in stream.tags():
            if shown:  # the first one tells what the page shows already
                await night.measure("part", phone, phone.get(f"{game}{part}", 200, 204, 304, tag=f'W/"{shown}"'))
            if game != self.game or self.is_over:
                break
            shown = tag
        stream.writer.close()

    async def read(self, night: Night, reader: int) -> None:
        phone = self.phone(night, 1 + reader)
        offset = (self.offset + reader * HAND_SECONDS / (SHEETS + 1)) % HAND_SECONDS
        async for second in night.moments(HAND_SECONDS, offset):
            page = self.club if (second // HAND_SECONDS + reader) % 5 == 0 else self.game
            await night.measure("page", phone, phone.get(page))


async def seat_tables(port: int, number: int) -> list[Table]:
    """Create a club with `number` tables, each with a game."""
    phone = Phone(port)
    home = (await phone.get("/")).plain()
    token = home.partition('name="csrf_token" value="')[2].partition('"')[0]
    club = (await phone.post("/clubs", {"name": "A long night", "csrf_token": token})).header("Location")
    tables = [Table(each, club, token, phone.cookie) for each in range(1, number + 1)]
    for table in tables:
        await table.begin(port)
    return tables
