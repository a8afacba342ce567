"""The `scorekeeper` command."""

from __future__ import annotations

import sys

COMMANDS = """usage: scorekeeper COMMAND

  run [--host HOST] [--port PORT]   migrate the database and serve the pages
  migrate                           bring the database's tables up to date
  verify [--mend]                   play all games through again, and compare what is counted of them
  demo [--players N] [--games N]    make a club with a season of simulated games to look at
  export KEY                        write a whole club to standard output, as one file
  import KEY FILE                   bring a club's file into a club; --new FILE makes a club of it
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
    if command == "demo":
        return demo(rest)
    if command == "export":
        return export(rest)
    if command == "import":
        return import_(rest)
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
    from scorekeeper.stats.verify import check_books

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


def demo(arguments: list[str]) -> int:
    import argparse

    from scorekeeper import create_app, serve
    from scorekeeper import demo as club
    from scorekeeper.db import migrate_database

    parser = argparse.ArgumentParser(prog="scorekeeper demo", description="Make a club with simulated games.")
    parser.add_argument("--name", default=club.NAME, help=f"what the club is called ({club.NAME})")
    players = f"how many people play, {club.FEWEST} to {club.MOST} (12)"
    parser.add_argument("--players", type=int, default=12, metavar="N", help=players)
    parser.add_argument("--games", type=int, default=60, metavar="N", help="how many games they have played (60)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another number makes other games (1)")
    chosen = parser.parse_args(arguments)
    if problem := club.objection(chosen.name, chosen.players, chosen.games):
        parser.error(problem)
    app = create_app()
    migrate_database(app)
    with app.app_context():
        made = club.fill(chosen.name, chosen.players, chosen.games, chosen.seed)
        print(f"{made.name}: {chosen.games} games among {chosen.players} people. Start `scorekeeper run` and open")
        print(f"\n  {serve.url('localhost', 8000)}c/{made.key}/\n")
    return 0


def export(arguments: list[str]) -> int:
    from scorekeeper import create_app, transfer_command

    chosen = transfer_command.export_parser().parse_args(arguments)
    with create_app().app_context():
        return transfer_command.export(chosen)


def import_(arguments: list[str]) -> int:
    from scorekeeper import create_app, serve, transfer_command

    parser = transfer_command.import_parser()
    chosen = parser.parse_args(arguments)
    app = create_app()
    serve.prepare(app)
    with app.app_context():
        return transfer_command.bring(parser, chosen)
