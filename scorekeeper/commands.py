"""The commands that need the database or the server; scorekeeper/cli.py finds them by name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper import demo as sample
from scorekeeper.database.session import check_is_current, db
from scorekeeper.models import MANAGE, NAME_LENGTH, ON_SERVER, ROLES, TALLY_VERSION, Club, acting_as, tidy_name
from scorekeeper.scoring.problems import Refused, refusal
from scorekeeper.services import links
from scorekeeper.serving import serve
from scorekeeper.serving.announcement import url
from scorekeeper.stats.verify import check_tallies
from scorekeeper.transfer.club_writer import write_club, write_records
from scorekeeper.transfer.columns import is_text
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.matching import Report, preview_import, report_sentences
from scorekeeper.transfer.reader import LineRefused
from scorekeeper.web.common.numbers import counted

CLUB = "the club's name, its number, its key, or any link to it"


def migrate(_arguments: list[str]) -> int:
    serve.prepare(create_app())
    return 0


def verify(arguments: list[str]) -> int:
    """Compare every club's tallies with its hands.

    Returns 1 if they differ or an older version counted them (without --fix), or if a game cannot be scored.
    """
    fix, right = bool(arguments), True
    with create_app().app_context():
        check_is_current()
        for club in db.session.scalars(select(Club).order_by(Club.id)).all():
            if club.counted != TALLY_VERSION and not fix:
                print(f"{club.name}: counted by an older version. `scorekeeper migrate` counts it again.")
                right = False
                continue
            try:
                checked = check_tallies(club, fix=fix)
            except Refused as refused:
                print(f"{club.name}: {refused}")
                right = False
                continue
            differences = counted(len(checked.wrong), "difference") if checked.wrong else "no differences"
            print(f"{club.name}: {counted(checked.games, 'game')} checked, {differences}")
            print("".join(f"  {line}\n" for line in checked.wrong), end="")
            right = right and (fix or not checked.wrong)
    return 0 if right else 1


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scorekeeper run", description="Update the database and start the server.")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: all)")  # noqa: S104
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: 8000)")
    parser.add_argument("--https", action="store_true", help="serve HTTPS; phones have to trust the certificate once")
    chosen = parser.parse_args(arguments)
    return serve.run(chosen.host, chosen.port, with_https=chosen.https)


def demo(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scorekeeper demo", description="Make a sample club with simulated games.")
    parser.add_argument("--name", default=sample.NAME, help=f"the club's name (default: {sample.NAME})")
    players = f"how many players, {sample.FEWEST} to {sample.MOST} (default: 12)"
    parser.add_argument("--players", type=int, default=12, metavar="N", help=players)
    parser.add_argument("--games", type=int, default=60, metavar="N", help="how many games (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="another number makes other games (default: 1)"
    )
    chosen = parser.parse_args(arguments)
    if problem := sample.objection(chosen.name, chosen.players, chosen.games):
        parser.error(problem)
    app = create_app()
    serve.prepare(app)
    with app.app_context(), acting_as(ON_SERVER):
        made = sample.fill(chosen.name, chosen.players, chosen.games, chosen.seed)
        print(
            f"{made.name}: {counted(chosen.games, 'game')}, {chosen.players} players. Start `scorekeeper run` and open"
        )
        links.make_for_board(made)
        secret = links.secret_of(links.make(made, MANAGE, links.FIRST_LABEL).uid)
        print(f"\n  {url('localhost', 8000)}l/{secret}\n")
    return 0


def link(arguments: list[str]) -> int:
    """Make a link for a club whose links, or whose manager, are lost; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scorekeeper link", description="Make a link for a club that exists.")
    parser.add_argument("club", metavar="CLUB", help=CLUB)
    parser.add_argument("--role", choices=ROLES, default=MANAGE, help=f"what it allows (default: {MANAGE})")
    alone = "also revoke every other link that manages the club, and remove its passphrase"
    parser.add_argument("--revoke-others", action="store_true", help=alone)
    chosen = parser.parse_args(arguments)
    if chosen.revoke_others and chosen.role != MANAGE:
        parser.error(f"--revoke-others needs --role {MANAGE}: otherwise nobody could manage the club")
    with create_app().app_context(), acting_as(ON_SERVER):
        check_is_current()
        try:
            club = _find_club(chosen.club)
        except Refused as refused:
            return _print_error(str(refused))
        made = links.make_recovery_link(club, chosen.role, alone=chosen.revoke_others)
        print(f"Made a link to {chosen.role} {club.name} (club {club.id}).")
        if chosen.revoke_others:
            print("Every other link that managed it is revoked, and its passphrase is removed.")
        if club.deleted_at:
            print("The club was deleted. The link opens a page that takes it back.")
        print(f"\n  /l/{links.secret_of(made.uid)}\n\nOpen it at your server's address.")
    return 0


# --- club files -------------------------------------------------------------------------------------------------------


def export(arguments: list[str]) -> int:
    """Write a club to standard output; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scorekeeper export", description="Print a club as one file.")
    parser.add_argument("club", metavar="CLUB", help=CLUB)
    parser.add_argument("--records", action="store_true", help="print game records instead, for `scorekeeper score`")
    chosen = parser.parse_args(arguments)
    with create_app().app_context():
        check_is_current()
        try:
            club = _find_club(chosen.club)
            for line in write_records(club) if chosen.records else write_club(club):
                sys.stdout.buffer.write(line.encode())
            sys.stdout.buffer.flush()
        except Refused as refused:
            return _print_error(str(refused))
    return 0


def import_(arguments: list[str]) -> int:
    """Import a file into a club, or into a new one, and print a report; returns the exit status."""
    usage = "scorekeeper import CLUB FILE\n       scorekeeper import --new [NAME] FILE"
    parser = argparse.ArgumentParser(prog="scorekeeper import", usage=usage, description="Import a club file.")
    parser.add_argument("places", nargs="*", metavar="CLUB FILE", help=f"{CLUB}; and the file (- for standard input)")
    parser.add_argument(
        "--new", nargs="?", const="", metavar="NAME", help="make a new club, named NAME or as in the file"
    )
    parser.add_argument("--check", action="store_true", help="preview only, change nothing")
    chosen = parser.parse_args(arguments)
    app = create_app()
    serve.prepare(app)
    with app.app_context(), acting_as(ON_SERVER):
        places, new = chosen.places, chosen.new
        if new and not places:  # --new FILE
            places, new = [new], ""
        if len(places) != (2 if new is None else 1) or (chosen.check and new is not None):
            parser.error("give a club and a file, or --new and a file")
        try:
            with _open_input(places[-1]) as file:
                if new is None:
                    club = _find_club(places[0])
                    _print_report(
                        preview_import(club, file) if chosen.check else import_into_club(club, file), not chosen.check
                    )
                    return 0
                name = tidy_name(new)
                if name and not is_text(name, NAME_LENGTH):
                    raise refusal("name", f"Use at most {NAME_LENGTH} letters for the club's name.")
                club, report = import_as_new_club(name or None, file)
                _print_report(report, True)
                secret = links.secret_of(links.make(club, MANAGE, links.FIRST_LABEL).uid)
                print(f"Its key is {club.key}, the link to manage it /l/{secret}")
        except Refused as why:
            return _print_error(f"{why}. Nothing was changed." if isinstance(why, LineRefused) else str(why))
    return 0


def _print_report(report: Report, done: bool) -> None:
    print("".join(f"{sentence}\n" for sentence in report_sentences(report, done=done)), end="")


def _find_club(text: str) -> Club:
    """Find the club that was meant; raises Refused, with a list if several have that name."""
    found = links.find_clubs(text)
    if len(found) == 1:
        return found[0]
    several = [
        f"\n  {club.id}: {club.name}, {counted(len(club.games), 'game')}, started {club.created_at:%Y-%m-%d}"
        for club in found
    ]
    who = "Several clubs have" if found else "No club has"
    raise refusal("no-club", f"{who} that name, number, key or link.{''.join(several)}")


@contextmanager
def _open_input(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115  (only errors of opening are handled here)
    except OSError as error:
        raise refusal("unreadable", f"Can't read {name}: {error.strerror}.") from None
    with file:
        yield file


def _print_error(sentence: str) -> int:
    print(f"{sentence[:1].upper()}{sentence[1:]}", file=sys.stderr)
    return 2
