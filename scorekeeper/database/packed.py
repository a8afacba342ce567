"""Column types for compressed JSON that no query looks into: rules of games, and details of results."""

from __future__ import annotations

import json
import zlib
from typing import Any

from sqlalchemy import Dialect, LargeBinary, TypeDecorator

from .session import to_json

# Compression dictionary of common texts, the most frequent last. Never change it: stored values could not be read.
WORDS = b"""\
{"id":"classic","name":"Classic Setback","summary":"Partners. High, Low, Jack, Game. The dealer may steal a 4. To 11. \
Ties play on.","source":"004","table":{"players":[4],"sides":"teams","teams":[2],"partner_right":2,"call":"any",\
"direction":"left"},"deck":{"ranks":"AKQJT98765432","jokers":0,"deal":null,"hand":6,"kitty":0,"kitty_to":"bidder",\
"undealt":"stock","draw":"none","rob":"nobody","misdeal":0},"trump":{"by":"lead","order":"A K Q J T 9 8 7 6 5 4 3 2",\
"jokers":"ranked","turned":{},"gift":0,"run":0},"play":{"follow":"follow-or-trump"},"auction":{"rounds":"single",\
"min":2,"max":4,"specials":[],"dealer":"match-max","all_pass":"next-dealer","forced_bid":null,"pass_cost":0,\
"seller":"nobody","cap":"maximum","max_again":"dealer"},"points":[{"key":"high","card":"highest","owner":"taker",\
"worth":1,"captured":null},{"key":"low","card":"lowest","owner":"taker","worth":1,"captured":null},{"key":"jack",\
"card":"J","owner":"taker","worth":1,"captured":null},{"key":"game","card":"game","owner":"taker","worth":1,\
"captured":null}],"game":{"values":{"T":10,"A":4,"K":3,"Q":2,"J":1},"award":"most","at_least":41,"tie":"nobody",\
"tie_points":[]},"settle":{"made":"taken","set":"bid","defenders":"taken"},"win":{"target":11,"eligible":"anyone",\
"both":["highest","play-on"],"early":null,"order":[],"all_points":"nobody","hands":null,"lost_at":null,\
"lost_sets":null,"counted":"up"}}{"bid:2:made":1,"bid:2:squares":4,"bid:2:taken":1,"bid:2:worth":2,"change:bidder":1,\
"change:defender":1,"change:partner":1,"hands:bidder":1,"hands:defender":1,"hands:partner":1,"out:2:4,0":1,\
"point:left_joker:got":1,"point:right_jack:seen":1,"point:game:got":1,"point:game:seen":1,"point:high:got":1,\
"point:high:seen":1,"point:jack:got":1,"point:jack:seen":1,"point:low:got":1,"point:low:seen":1,"took:bidder":1,\
"took:defender":1,"took:partner":1,"trump:C:made":1,"trump:C:squares":1,"trump:C:taken":1,"trump:C:worth":1,\
"vs:1:games":1,"vs:1:hands":1,"vs:1:lost":1,"vs:1:squares":1,"vs:1:swing":1,"with:1:games":1,"with:1:hands":1,\
"with:1:inflicted":1,"with:1:lost":1,"with:1:sets":1,"with:1:squares":1,"with:1:swing":1,"with:1:won":1}"""


class PackedText(TypeDecorator[str]):
    """JSON text, compressed with zlib."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> bytes:
        packer = zlib.compressobj(zdict=WORDS)
        return packer.compress(value.encode()) + packer.flush()

    def process_result_value(self, value: bytes | None, _dialect: Dialect) -> Any:
        return value and zlib.decompressobj(zdict=WORDS).decompress(value).decode()


class PackedJson(PackedText):
    """Like PackedText, but parsed; None in a row that an outer join has not matched."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes:
        return super().process_bind_param(to_json(value), dialect)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return value and json.loads(super().process_result_value(value, dialect))
