"""The `scorekeeper` command."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = """usage: scorekeeper COMMAND

  run [--host HOST] [--port PORT]   update the database and start the server; --https: over HTTPS
  migrate                           update the database's tables
  verify [--fix]                    replay every game and check the statistics; --fix corrects them
  demo [--players N] [--games N]    make a sample club with two seasons of simulated games
  link CLUB [--role manage]         make a link for a club that exists
  export CLUB                       print a club as one file
  import CLUB FILE                  import a club file into a club; --new FILE makes a new club
  backup [FILE or FOLDER]           make a backup while people score
  restore FILE                      replace the database with a backup, and keep the old database
  move --to URL                     copy everything to another database, SQLite or PostgreSQL
  score FILE...                     score game records, and print one line of JSON for each; --explain: in sentences
  rules [NAME]                      list the rule sets; of one of them, its players, bids, points and fields
  schema                            print the JSON Schema of game records"""

HANDLERS = {
    **{command: f"commands.{command}" for command in ("run", "migrate", "verify", "demo", "link", "export")},
    "import": "commands.import_",
    "backup": "backup.command.backup",
    "restore": "backup.command.restore_file",
    "move": "backup.command.move_all",
    "score": "explaining.main",
    "rules": "scoring.command.show_rules",
    "schema": "cli.schema",
}
ARGUMENTS: dict[str, list[list[str]]] = {"migrate": [[]], "verify": [[], ["--fix"]]}  # the only ones accepted


def main(argv: list[str] | None = None) -> int:
    """Run the command named by the arguments; returns the exit status."""
    command, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    # `score` imports nothing heavy: other programs call it many times.
    if command == "score" and "--explain" not in rest:
        with _without_collection():
            from scorekeeper.scoring.command import main as score
        return score(rest)
    try:
        status = _run_command(command, rest)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # no failing flush at interpreter exit
        return 1
    except Exception as error:
        return _explain(error)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Without garbage collection while modules are loaded: they stay, and collecting takes a tenth of the start."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def _explain(error: Exception) -> int:
    """Print a sentence for an error of the database, a file or a setting; returns 1. Other errors are raised."""
    from scorekeeper.backup.files import BackupProblem
    from scorekeeper.config import SettingProblem
    from scorekeeper.database.errors import sentence_of

    sentence = str(error) if isinstance(error, (BackupProblem, SettingProblem)) else sentence_of(error)
    if sentence is None:
        raise error
    print(sentence, file=sys.stderr)
    return 1


def _run_command(command: str, rest: list[str]) -> int:
    if command in HANDLERS and rest in ARGUMENTS.get(command, [rest]):
        module, _, name = HANDLERS[command].rpartition(".")
        with _without_collection():
            found = import_module(f"scorekeeper.{module}")
        return int(getattr(found, name)(rest))
    asked = command in ("-h", "--help", "help")
    print(COMMANDS, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def schema(arguments: list[str]) -> int:
    from scorekeeper.scoring.rules import schema

    if arguments:
        print("usage: scorekeeper schema", file=sys.stderr)
        return 2
    print(schema.text(), end="")
    return 0
