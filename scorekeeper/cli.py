"""The `scorekeeper` command."""

from __future__ import annotations

import sys

COMMANDS = """usage: scorekeeper COMMAND

  run [--host HOST] [--port PORT]   migrate the database and serve the pages
  migrate                           bring the database's tables up to date
  verify [--mend]                   play all games through again, and compare what is counted of them
  score FILE...                     score game records, one line of JSON each"""


def main(argv: list[str] | None = None) -> int:
    """Do what the arguments say; the exit status."""
    command, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    # Nothing heavy is imported for `score`: other programs call it many times over.
    if command == "score":
        from scorekeeper.scoring.command import main as score

        return score(rest)
    if command == "run":
        return run(rest)
    if command == "migrate" and not rest:
        return migrate()
    if command == "verify" and rest in ([], ["--mend"]):
        return verify(mend=bool(rest))
    asked = command in ("-h", "--help", "help")
    print(COMMANDS, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def migrate() -> int:
    from scorekeeper import create_app, serve

    serve.prepare(create_app())
    return 0


def verify(*, mend: bool) -> int:
    """Check every club's books against its hands; 1 when they say something else, or a game cannot be scored."""
    from sqlalchemy import select

    from scorekeeper import create_app
    from scorekeeper.db import db
    from scorekeeper.models import Club
    from scorekeeper.scoring.problems import Refused
    from scorekeeper.seasons.upkeep import check_books

    right = True
    with create_app().app_context():
        for club in db.session.scalars(select(Club).order_by(Club.id)).all():
            try:
                checked = check_books(club, mend=mend)
            except Refused as refused:
                print(f"{club.name}: {refused}")
                right = False
                continue
            print(f"{club.name}: {checked.games} games count, {len(checked.wrong) or 'no'} differences")
            print("".join(f"  {line}\n" for line in checked.wrong), end="")
            right = right and (mend or not checked.wrong)
    return 0 if right else 1


def run(arguments: list[str]) -> int:
    import argparse

    from scorekeeper import serve

    parser = argparse.ArgumentParser(prog="scorekeeper run", description="Migrate the database and serve the pages.")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (all of this computer's)")  # noqa: S104
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on (8000)")
    chosen = parser.parse_args(arguments)
    return serve.run(chosen.host, chosen.port)
