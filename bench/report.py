"""How a measured ratio is told."""

from __future__ import annotations


def report(name: str, value: float, goal: float) -> bool:
    """Print one line; whether the goal is met."""
    met = value <= goal
    print(f"{name:<58} {value:6.2f} x   goal: at most {goal:g} x   {'met' if met else 'MISSED'}", flush=True)
    return met
