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


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_that_trusts_the_authority_trusts_every_name_and_address(name: str, tmp_path: Path) -> None:
    assert keep_current(tmp_path, NAMES, NOW)
    verify(tmp_path, name)


@pytest.mark.parametrize("name", ["example.org", "192.168.1.6", "other.local"])
def test_no_other_name_is_trusted(name: str, tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
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


def test_the_authority_is_named_after_the_machine(tmp_path: Path) -> None:
    assert make_authority(NAMES, NOW).name == "Scorekeeper on kitchen"
    assert make_authority(["k" * 63], NOW).name == ("Scorekeeper on " + "k" * 63)[:64]


# --- renewed ----------------------------------------------------------------------------------------------------------


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
    keep_current(tmp_path, NAMES, NOW)
    assert keep_current(tmp_path, [*NAMES[:4], "192.168.1.77"], NOW)
    verify(tmp_path, "192.168.1.77")


def test_an_authority_that_ends_is_followed_by_another(tmp_path: Path) -> None:
    """After ten years; phones have to trust the new authority."""
    keep_current(tmp_path, NAMES, NOW)
    first, later = read_authority(tmp_path / AUTHORITY), NOW + days(3600)
    assert keep_current(tmp_path, NAMES, later)
    assert read_authority(tmp_path / AUTHORITY).fingerprint != first.fingerprint
    verify(tmp_path, "kitchen.local", later)


def test_a_certificate_never_outlives_its_authority(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    later = NOW + days(3500)
    assert keep_current(tmp_path, NAMES, later)
    assert served(tmp_path).not_valid_after_utc == read_authority(tmp_path / AUTHORITY).certificate.not_valid_after_utc
    verify(tmp_path, "kitchen.local", later)


def test_a_clock_that_begins_again_in_1970_changes_nothing(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    assert not keep_current(tmp_path, NAMES, datetime(1970, 1, 1, tzinfo=UTC))
    keep_current(tmp_path, [*NAMES, "192.168.1.77"], datetime(1970, 1, 1, tzinfo=UTC))
    verify(tmp_path, "192.168.1.77")


@pytest.mark.parametrize("content", [b"", b"no certificate"])
def test_a_damaged_certificate_is_made_again(content: bytes, tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    (tmp_path / SERVER).write_bytes(content)
    assert keep_current(tmp_path, NAMES, NOW)
    verify(tmp_path, "kitchen")


def test_a_damaged_authority_is_not_replaced_behind_peoples_backs(tmp_path: Path) -> None:
    keep_current(tmp_path, NAMES, NOW)
    (tmp_path / AUTHORITY).write_bytes(b"no certificate")
    with pytest.raises(SettingProblem, match="Delete it, and trust the new authority on each phone"):
        keep_current(tmp_path, NAMES, NOW)


def test_a_folder_that_cannot_be_written_gives_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file, and no folder")
    with pytest.raises(SettingProblem, match="HTTPS needs it"):
        keep_current(tmp_path / "https" / "deeper", NAMES, NOW)


@pytest.mark.parametrize("name", ["my_laptop", "-a", "a..b", "", "Ä", "a" * 64, "*.local", "a b"])
def test_what_is_no_name_is_not_signed(name: str) -> None:
    assert not certificates.is_name(name)


@pytest.mark.parametrize("name", ["a", "kitchen-2.local", "xn--kche-0ra", "9.lan"])
def test_what_is_a_name(name: str) -> None:
    assert certificates.is_name(name)
