"""Compressed JSON columns round-trip, and values stored by earlier versions stay readable."""

import zlib
from hashlib import sha256

import pytest

from scorekeeper.database.session import WORDS, PackedJson, db

STORED = "78bbbc7da7a5abc6d57e484c8b29353048b554d2414dffb500875a0f19"
VALUE = {"id": "classic", "name": "Café", "bid:2:made": 1}


def test_the_words_never_change() -> None:
    assert sha256(WORDS).hexdigest() == "afc1726d40d4a882b171e136fab5bb8a85d7a565c36ca4b98e46cb24ef0b2283"


def test_what_is_stored_is_read_as_it_was(app_context: None) -> None:
    dialect = db.engine.dialect
    assert PackedJson().process_result_value(bytes.fromhex(STORED), dialect) == VALUE
    assert PackedJson().process_result_value(PackedJson().process_bind_param(VALUE, dialect), dialect) == VALUE


def test_what_was_packed_with_other_words_is_not_read(app_context: None) -> None:
    packer = zlib.compressobj(zdict=b"others")
    with pytest.raises(zlib.error):
        PackedJson().process_result_value(packer.compress(b"{}") + packer.flush(), db.engine.dialect)
