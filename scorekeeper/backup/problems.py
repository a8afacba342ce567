"""Why a backup, a restore or a move was not done."""

from __future__ import annotations


class BackupProblem(Exception):
    """What is wrong and what to do, in one sentence or two."""


class Locked(BackupProblem):
    """Somebody else holds the lock."""
