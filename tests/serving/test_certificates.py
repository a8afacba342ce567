"""The local authority and the server's certificate, checked by cryptography's verifier and by Apple's requirements.

https://support.apple.com/103769: TLS server certificates are for serverAuth, name the server in SubjectAlternativeName,
and are valid for 825 days at most. RFC 5280, 4.2.1: the limits on what an authority may sign are critical extensions.
"""

import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from scorekeeper.config import SettingProblem
from scorekeeper.serving import certificates
from scorekeeper.serving.certificates import AUTHORITY, SERVER, keep_current, make_authority, read_authority

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
NAMES = ["kitchen", "kitchen.local", "localhost", "127.0.0.1", "192.168.1.5", "fd00::5"]


def days(number: int) -> timedelta:
    return timedelta(days=number)


def served(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / SERVER).read_bytes())


def verify(folder: Path, name: str, at: datetime = NOW) -> None:
    """Verify the certificate for host `name`, like a phone that trusts the authority."""
    authority = read_authority(folder / AUTHORITY).certificate
    try:
        subject: x509.verification.Subject = x509.IPAddress(ip_address(name))
    except ValueError:
        subject = x509.DNSName(name)
    policy = PolicyBuilder().store(Store([authority])).time(at)
    policy.build_server_verifier(subject).verify(served(folder), [])


def test_a_phone_that_trusts_the_authority_trusts_every_name_and_address_and_no_other(tmp_path: Path) -> None:
    assert keep_current(tmp_path, NAMES, NOW)
    for name in NAMES:
        verify(tmp_path, name)
    for name in ("example.org", "192.168.1.6", "other.local"):
        with pytest.raises(VerificationError):
            verify(tmp_path, name)


def test_the_authority_can_sign_for_nothing_on_the_internet(tmp_path: Path) -> None:
    """A stolen key cannot impersonate a bank."""
    authority = make_authority(NAMES, NOW)
    for name, good in (("bank.example.com", False), ("kitchen.local", True)):
        certificate, _ = certificates.issue(authority, [name], NOW)
        verifier = PolicyBuilder().store(Store([authority.certificate])).time(NOW)
        try:
            verifier.build_server_verifier(x509.DNSName(name)).verify(certificate, [])
        except VerificationError as error:
            assert not good and "name constraint" in str(error).lower()
        else:
            assert good
        assert authority.may_sign(name) is good


def test_the_certificate_is_as_apple_asks(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    found = served(tmp_path)
    assert found.not_valid_after_utc - found.not_valid_before_utc <= days(398)
    usage = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["kitchen", "kitchen.local", "localhost"]
    assert [str(each) for each in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1", "192.168.1.5", "fd00::5"]


def test_keys_are_for_the_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "https"
    keep_current(folder, NAMES, NOW)
    assert [stat.S_IMODE((folder / name).stat().st_mode) for name in (AUTHORITY, SERVER)] == [0o600, 0o600]
    assert sorted(file.name for file in folder.iterdir()) == [AUTHORITY, SERVER]
    assert make_authority(NAMES, NOW).name == "Scorekeeper on kitchen"
    assert make_authority(["k" * 63], NOW).name == ("Scorekeeper on " + "k" * 63)[:64]


def test_nothing_is_done_while_nothing_is_due(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    before = [(tmp_path / name).read_bytes() for name in (AUTHORITY, SERVER)]
    assert not keep_current(tmp_path, NAMES, NOW + days(335))
    assert not keep_current(tmp_path, NAMES[:3], NOW)  # an address that is gone now may come back
    assert [(tmp_path / name).read_bytes() for name in (AUTHORITY, SERVER)] == before


@pytest.mark.parametrize("later", [days(337), days(500)])
def test_it_is_renewed_two_months_before_its_end_and_phones_trust_it_still(later: timedelta, tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    authority, before = (tmp_path / AUTHORITY).read_bytes(), served(tmp_path).serial_number
    assert keep_current(tmp_path, NAMES, NOW + later)
    assert (tmp_path / AUTHORITY).read_bytes() == authority
    assert served(tmp_path).serial_number != before
    verify(tmp_path, "kitchen.local", NOW + later)


def test_it_is_renewed_when_the_router_gives_another_address(tmp_path: Path) -> None:
    """Also if the clock began again in 1970, which alone changes nothing."""
    keep_current(tmp_path, NAMES, NOW)
    assert not keep_current(tmp_path, NAMES, datetime(1970, 1, 1, tzinfo=UTC))
    for moment, address in ((NOW, "192.168.1.77"), (datetime(1970, 1, 1, tzinfo=UTC), "192.168.1.78")):
        assert keep_current(tmp_path, [*NAMES[:4], address], moment)
        verify(tmp_path, address)


def test_a_certificate_never_outlives_its_authority_which_is_followed_by_another(tmp_path: Path) -> None:
    """After ten years; phones have to trust the new authority."""
    keep_current(tmp_path, NAMES, NOW)
    first = read_authority(tmp_path / AUTHORITY)
    for later, is_the_first in ((NOW + days(3500), True), (NOW + days(3600), False)):
        assert keep_current(tmp_path, NAMES, later)
        authority = read_authority(tmp_path / AUTHORITY)
        assert (authority.fingerprint == first.fingerprint) is is_the_first
        assert served(tmp_path).not_valid_after_utc <= authority.certificate.not_valid_after_utc
        verify(tmp_path, "kitchen.local", later)


def test_a_damaged_certificate_is_made_again_and_a_damaged_authority_is_not(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    for content in (b"", b"no certificate"):
        (tmp_path / SERVER).write_bytes(content)
        assert keep_current(tmp_path, NAMES, NOW)
        verify(tmp_path, "kitchen")
    (tmp_path / AUTHORITY).write_bytes(b"no certificate")
    with pytest.raises(SettingProblem, match="Delete it, and trust the new authority on each phone"):
        keep_current(tmp_path, NAMES, NOW)


def test_a_folder_that_cannot_be_written_gives_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file, and no folder")
    with pytest.raises(SettingProblem, match="HTTPS needs it"):
        keep_current(tmp_path / "https" / "deeper", NAMES, NOW)


def test_what_is_no_name_is_not_signed() -> None:
    for name in ("my_laptop", "-a", "a..b", "", "Ä", "a" * 64, "*.local", "a b"):
        assert not certificates.is_name(name), name
    for name in ("a", "kitchen-2.local", "xn--kche-0ra", "9.lan"):
        assert certificates.is_name(name), name
