"""The `scorekeeper` command."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = """usage: scorekeeper COMMAND

  run [--host HOST] [--port PORT]   update the database and start the server; --https: by HTTPS
  migrate                           update the database's tables
  verify [--fix]                    replay every game and check the statistics; --fix corrects them
  demo [--players N] [--games N]    make a sample club with two seasons of simulated games
  link CLUB [--role manage]         make a link for a club that exists
  export KEY                        print a club as one file
  import KEY FILE                   import a club file into a club; --new FILE makes a new club
  backup [FILE or FOLDER]           make a backup while people score
  restore FILE                      put a backup in the place of the database, which is kept
  move --to URL                     copy everything to another database, SQLite or PostgreSQL
  score FILE...                     score game records, and print one line of JSON for each; --explain: in sentences
  rules [NAME]                      list the rule sets; of one of them, its players, bids, points and fields
  schema                            print the JSON Schema of game records"""

ELSEWHERE = {
    "backup": "backup.command.backup",
    "restore": "backup.command.restore_file",
    "move": "backup.command.move_all",
    "score": "explaining.main",
    "rules": "scoring.command.show_rules",
}


def main(argv: list[str] | None = None) -> int:
    """Do what the arguments say; the exit status."""
    command, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    # Nothing heavy is imported for `score`: other programs call it many times over.
    if command == "score" and "--explain" not in rest:
        with _loading():
            from scorekeeper.scoring.command import main as score
        return score(rest)
    try:
        return _do(command, rest)
    except Exception as error:
        return _explain(error)


@contextmanager
def _loading() -> Iterator[None]:
    """While modules are loaded, which stay: to look for garbage in them is a tenth of the start."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def _explain(error: Exception) -> int:
    """Say in one sentence why the database, a file or a setting does not let a command work; a bug is raised again."""
    from scorekeeper.backup.files import BackupProblem
    from scorekeeper.config import SettingProblem
    from scorekeeper.database.errors import sentence_of

    sentence = str(error) if isinstance(error, (BackupProblem, SettingProblem)) else sentence_of(error)
    if sentence is None:
        raise error
    print(sentence, file=sys.stderr)
    return 1


def _do(command: str, rest: list[str]) -> int:
    commands = {"run": run, "demo": demo, "link": link, "export": export, "import": import_, "schema": schema}
    if command in commands:
        return commands[command](rest)
    if command in ELSEWHERE:
        module, _, name = ELSEWHERE[command].rpartition(".")
        return int(getattr(import_module(f"scorekeeper.{module}"), name)(rest))
    if command == "migrate" and not rest:
        return migrate()
    if command == "verify" and rest in ([], ["--fix"]):
        return verify(fix=bool(rest))
    asked = command in ("-h", "--help", "help")
    print(COMMANDS, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def migrate() -> int:
    from scorekeeper import create_app
    from scorekeeper.serving import serve

    serve.prepare(create_app())
    return 0


def verify(*, fix: bool) -> int:
    """Check every club's tallies against its hands; 1 if they differ or a game cannot be scored."""
    from sqlalchemy import select

    from scorekeeper import create_app
    from scorekeeper.database.session import check_is_current, db
    from scorekeeper.models import Club
    from scorekeeper.scoring.problems import Refused
    from scorekeeper.stats.verify import check_tallies

    right = True
    with create_app().app_context():
        check_is_current()
        for club in db.session.scalars(select(Club).order_by(Club.id)).all():
            try:
                checked = check_tallies(club, fix=fix)
            except Refused as refused:
                print(f"{club.name}: {refused}")
                right = False
                continue
            print(f"{club.name}: {checked.games} games checked, {len(checked.wrong) or 'no'} differences")
            print("".join(f"  {line}\n" for line in checked.wrong), end="")
            right = right and (fix or not checked.wrong)
    return 0 if right else 1


def run(arguments: list[str]) -> int:
    with _loading():
        import argparse

        from scorekeeper.serving import serve

    parser = argparse.ArgumentParser(prog="scorekeeper run", description="Update the database and start the server.")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: all)")  # noqa: S104
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: 8000)")
    parser.add_argument("--https", action="store_true", help="serve HTTPS, with a certificate that phones trust once")
    chosen = parser.parse_args(arguments)
    return serve.run(chosen.host, chosen.port, with_https=chosen.https)


def demo(arguments: list[str]) -> int:
    import argparse

    from scorekeeper import create_app
    from scorekeeper import demo as club
    from scorekeeper.models import MANAGE
    from scorekeeper.services import links
    from scorekeeper.serving import serve
    from scorekeeper.serving.announcement import url

    parser = argparse.ArgumentParser(prog="scorekeeper demo", description="Make a sample club with simulated games.")
    parser.add_argument("--name", default=club.NAME, help=f"the club's name (default: {club.NAME})")
    players = f"how many players, {club.FEWEST} to {club.MOST} (default: 12)"
    parser.add_argument("--players", type=int, default=12, metavar="N", help=players)
    parser.add_argument("--games", type=int, default=60, metavar="N", help="how many games (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="another number makes other games (default: 1)"
    )
    chosen = parser.parse_args(arguments)
    if problem := club.objection(chosen.name, chosen.players, chosen.games):
        parser.error(problem)
    app = create_app()
    serve.prepare(app)
    with app.app_context():
        made = club.fill(chosen.name, chosen.players, chosen.games, chosen.seed)
        print(f"{made.name}: {chosen.games} games, {chosen.players} players. Start `scorekeeper run` and open")
        secret = links.secret_of(links.make(made, MANAGE, links.FIRST_LABEL).uid)
        print(f"\n  {url('localhost', 8000)}l/{secret}\n")
    return 0


def link(arguments: list[str]) -> int:
    """Make a link for a club that has lost its own, or its manager; the exit status."""
    import argparse

    from scorekeeper import create_app
    from scorekeeper.database.session import check_is_current
    from scorekeeper.models import MANAGE, ROLES
    from scorekeeper.services import links

    parser = argparse.ArgumentParser(prog="scorekeeper link", description="Make a link for a club that exists.")
    parser.add_argument("club", metavar="CLUB", help="the club's name, its number, its key, or any link to it")
    parser.add_argument("--role", choices=ROLES, default=MANAGE, help=f"what it allows (default: {MANAGE})")
    alone = "also revoke every other link that manages the club, and remove its passphrase"
    parser.add_argument("--revoke-others", action="store_true", help=alone)
    chosen = parser.parse_args(arguments)
    if chosen.revoke_others and chosen.role != MANAGE:
        parser.error(f"--revoke-others goes with --role {MANAGE}: else nobody could manage the club")
    with create_app().app_context():
        check_is_current()
        found = links.clubs_called(chosen.club)
        if len(found) != 1:
            print(
                f"{'Several clubs have' if found else 'No club has'} that name, number, key or link.", file=sys.stderr
            )
            for club in found:
                begun = f"started {club.created_at:%Y-%m-%d}"
                print(f"  {club.id}: {club.name}, {len(club.games)} games, {begun}", file=sys.stderr)
            return 2
        club = found[0]
        made = links.rescue(club, chosen.role, alone=chosen.revoke_others)
        print(f"Made a link to {chosen.role} {club.name} (club {club.id}).")
        if chosen.revoke_others:
            print("Every other link that managed it is revoked, and its passphrase is removed.")
        if club.deleted_at:
            print("The club was deleted. The link opens a page that takes it back.")
        print(f"\n  /l/{links.secret_of(made.uid)}\n\nOpen it at your server's address.")
    return 0


def export(arguments: list[str]) -> int:
    from scorekeeper import create_app
    from scorekeeper.database.session import check_is_current
    from scorekeeper.transfer import command as transfer_command

    chosen = transfer_command.export_parser().parse_args(arguments)
    with create_app().app_context():
        check_is_current()
        return transfer_command.export(chosen)


def import_(arguments: list[str]) -> int:
    from scorekeeper import create_app
    from scorekeeper.serving import serve
    from scorekeeper.transfer import command as transfer_command

    parser = transfer_command.import_parser()
    chosen = parser.parse_args(arguments)
    app = create_app()
    serve.prepare(app)
    with app.app_context():
        return transfer_command.import_file(parser, chosen)


def schema(arguments: list[str]) -> int:
    from scorekeeper.scoring.rules import schema

    if arguments:
        print("usage: scorekeeper schema", file=sys.stderr)
        return 2
    print(schema.text(), end="")
    return 0
