"""`scorekeeper export` and `scorekeeper import`: a club printed as a file, and a club file imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import select

from scorekeeper.database.session import db
from scorekeeper.models import MANAGE, NAME_LENGTH, Club, tidy_name
from scorekeeper.scoring.problems import Refused
from scorekeeper.services import links
from scorekeeper.transfer.club_writer import write_club, write_records
from scorekeeper.transfer.columns import is_text
from scorekeeper.transfer.importer import import_as_new_club, import_into_club
from scorekeeper.transfer.matching import Report, preview_import, said
from scorekeeper.transfer.reader import LineRefused

UNKNOWN = "There is no club with that key. The key is the part of its pages' addresses after /c/."


class Objection(Exception):
    """Why a command does nothing, in a sentence."""


def export_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scorekeeper export", description="Print a club as one file.")
    parser.add_argument("key", metavar="KEY", help="the club's key, or its link")
    parser.add_argument("--records", action="store_true", help="print game records instead, for `scorekeeper score`")
    return parser


def export(chosen: argparse.Namespace) -> int:
    """Write a club to standard output; the exit status."""
    try:
        club = _find(chosen.key)
        for line in write_records(club) if chosen.records else write_club(club):
            sys.stdout.buffer.write(line.encode())
        sys.stdout.buffer.flush()
    except Objection as objection:
        return _object(str(objection))
    except BrokenPipeError:  # whoever reads has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def import_parser() -> argparse.ArgumentParser:
    usage = "scorekeeper import KEY FILE\n       scorekeeper import --new [NAME] FILE"
    parser = argparse.ArgumentParser(prog="scorekeeper import", usage=usage, description="Import a club file.")
    parser.add_argument(
        "places", nargs="*", metavar="KEY FILE", help="the club's key or link, and the file (- for standard input)"
    )
    parser.add_argument(
        "--new", nargs="?", const="", metavar="NAME", help="make a new club, named NAME or as in the file"
    )
    parser.add_argument("--check", action="store_true", help="preview only, change nothing")
    return parser


def import_file(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> int:
    """Import a file into a club, or into a new one, and say what came of it; the exit status."""
    places = list(chosen.places)
    if chosen.new and not places:  # --new FILE
        places, chosen.new = [chosen.new], ""
    if len(places) != (2 if chosen.new is None else 1) or (chosen.check and chosen.new is not None):
        parser.error("give a club and a file, or --new and a file")
    try:
        with _opened(places[-1]) as file:
            if len(places) == 1:
                _import_new_club(chosen.new, file)
            else:
                club = _find(places[0])
                report = preview_import(club, file) if chosen.check else import_into_club(club, file)
                _say(report, done=not chosen.check)
    except (Objection, Refused) as why:
        return _object(f"{why}. Nothing was changed." if isinstance(why, LineRefused) else str(why))
    return 0


def _import_new_club(name: str, file: BinaryIO) -> None:
    name = tidy_name(name)
    if name and not is_text(name, NAME_LENGTH):
        raise Objection(f"Use at most {NAME_LENGTH} letters for the club's name.")
    club, report = import_as_new_club(name or None, file)
    _say(report, done=True)
    secret = links.secret_of(links.make(club, MANAGE, links.FIRST_LABEL).uid)
    sys.stdout.write(f"Its key is {club.key}, the link to manage it /l/{secret}\n")


def _say(report: Report, *, done: bool) -> None:
    sys.stdout.write("".join(f"{sentence}\n" for sentence in said(report, done=done)))


def _find(key: str) -> Club:
    key = (key.partition("/c/")[2] or key.partition("/l/")[2] or key).partition("/")[0]
    club, link = db.session.scalar(select(Club).where(Club.key == key)), links.find(key)
    if club is None and link is None:
        raise Objection(UNKNOWN)
    return club or link.club  # type: ignore[union-attr]


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115  (only opening it is told of here)
    except OSError as error:
        raise Objection(f"Can't read {name}: {error.strerror}.") from None
    with file:
        yield file


def _object(sentence: str) -> int:
    sys.stderr.write(f"{sentence[:1].upper()}{sentence[1:]}\n")
    return 2
