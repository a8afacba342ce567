"""What the log and the metrics know of a request that was answered."""

from __future__ import annotations

from typing import Any, NamedTuple


class Answered(NamedTuple):
    """A request with its answer. `route` is its address as a pattern, `path` is without the club's key."""

    method: str
    route: str
    path: str
    endpoint: str
    status: int
    seconds: float

    @property
    def milliseconds(self) -> float:
        return round(self.seconds * 1000, 1)

    @property
    def fields(self) -> dict[str, Any]:
        """What a structured log has of it."""
        return {
            "method": self.method,
            "route": self.route,
            "path": self.path,
            "status": self.status,
            "ms": self.milliseconds,
        }
