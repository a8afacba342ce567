"""A size-bounded LRU cache, shared by all requests of a process.

Entries leave only by eviction; nothing is invalidated. A key contains everything that the value depends on, so changed
data is looked up under another key:

- a game (replay_cache.py): the text of its rules and hands;
- tables of a club (web/standings/table.py): `Club.stats_version`, a random number that `mark_changed` in
  stats/tallies.py replaces with every change of what is counted;
- aggregates before the latest game day (stats/query.py): `Club.history_version`, which `mark_changed` replaces when
  an earlier day changes;
- pages and parts of pages (web/common/page_cache.py): the data read for them, and the arguments of a macro; rule
  fields: their value and the values that they depend on (`RuleField.cache_key`).

Ids and counters are not used as keys: a restored database assigns them again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Thread-safe LRU cache of total weight at most `most`, or one heavier entry. None is no value."""

    def __init__(self, most: int, weigh: Callable[[Value], int] = lambda _value: 1) -> None:
        self.most = most
        self.weight = 0
        self._weigh = weigh
        self._values: OrderedDict[Hashable, Value] = OrderedDict()  # least recently used first
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> Value:
        """Store `value` and return it."""
        with self._lock:
            self._drop(key)
            self._values[key] = value
            self.weight += self._weigh(value)
            while self.weight > self.most and len(self._values) > 1:
                self._drop(next(iter(self._values)))
        return value

    def get_or_make(self, key: Hashable, make: Callable[[], Value]) -> Value:
        value = self.get(key)
        return self.put(key, make()) if value is None else value

    def _drop(self, key: Hashable) -> None:
        value = self._values.pop(key, None)
        if value is not None:
            self.weight -= self._weigh(value)
