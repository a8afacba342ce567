"""The certificate of a server at home, and the local authority that signs it and that people trust on their phones.

Whoever has the authority's key could pretend to be every site that it may sign for. So it may sign for names that are
found at home only, and for addresses; its key never leaves the instance folder.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scorekeeper.config import SettingProblem

AUTHORITY, SERVER = "authority.pem", "server.pem"  # each with its key, so that the two always go together
AUTHORITY_DAYS = 3650
# Apple takes 825 days at most, of an authority that somebody trusts by hand (https://support.apple.com/103769).
SERVER_DAYS = 397
RENEW_DAYS = 60  # before the end
A_DAY = timedelta(days=1)  # the clocks of phones differ
# What routers and phones call the machines at home: the last part of a name, besides the machine's own.
HOME = ("local", "localhost", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")
NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


@dataclass(frozen=True)
class Authority:
    """A local authority: its certificate, and the key that signs with it."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def name(self) -> str:
        """What a phone calls it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """What tells it from every other: 64 digits, in pairs."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def der(self) -> bytes:
        """Its certificate, as every kind of phone installs it."""
        return self.certificate.public_bytes(Encoding.DER)

    def may_sign(self, name: str) -> bool:
        """Whether it may sign for a name, or an address."""
        constraints = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        suffixes = [each.value for each in constraints.permitted_subtrees or ()]
        return is_address(name) or any(name == suffix or name.endswith(f".{suffix}") for suffix in suffixes)


def keep_current(folder: Path, names: Iterable[str], now: datetime) -> bool:
    """Issue a certificate for `names` where there is none, it ends soon, or it lacks one of them; whether one was.

    Names and addresses are mixed, as people type them. Raises SettingProblem.
    """
    authority = find_authority(folder, names, now)
    now = max(now, authority.certificate.not_valid_before_utc + A_DAY)  # a small computer's clock may begin anew
    signed = [name for name in dict.fromkeys(names) if authority.may_sign(name)]
    if _is_good(folder / SERVER, authority, signed, now):
        return False
    _write(folder / SERVER, *issue(authority, signed, now))
    return True


def find_authority(folder: Path, names: Iterable[str], now: datetime) -> Authority:
    """The authority kept in `folder`; where there is none, or it ends soon, one that may sign for `names`."""
    file = folder / AUTHORITY
    if file.exists():
        authority = read_authority(file)
        if now < authority.certificate.not_valid_after_utc - RENEW_DAYS * A_DAY:
            return authority
    authority = make_authority(names, now)
    _write(file, authority.certificate, authority.key)
    return authority


def read_authority(file: Path) -> Authority:
    """An authority from its file; raises SettingProblem."""
    try:
        content = file.read_bytes()
        key = load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (OSError, ValueError, TypeError) as error:
        raise SettingProblem(
            f"Can't read {file}: {error}. Delete it, and trust the new authority on each phone."
        ) from None
    assert isinstance(key, ec.EllipticCurvePrivateKey)  # noqa: S101  (as made below)
    return Authority(certificate, key)


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_name(name: str) -> bool:
    """Whether a certificate can be for a name: letters, digits, dashes and dots."""
    return len(name) <= 253 and bool(NAME.fullmatch(name))


def make_authority(names: Iterable[str], now: datetime) -> Authority:
    """A new authority, for names found at home and for `names`."""
    own = [name for name in dict.fromkeys(names) if not is_address(name)]
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Scorekeeper on {(own or ['this computer'])[0]}"[:64])])
    key = ec.generate_private_key(ec.SECP256R1())
    home = x509.NameConstraints([x509.DNSName(name) for name in dict.fromkeys([*HOME, *own])], None)
    made = _builder(title, title, key, key, now, now + AUTHORITY_DAYS * A_DAY).add_extension(home, critical=True)
    return Authority(made.sign(key, hashes.SHA256()), key)


def issue(
    authority: Authority, names: Iterable[str], now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """A certificate for these names and addresses, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    title = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Scorekeeper")])
    end = min(now + (SERVER_DAYS - 1) * A_DAY, authority.certificate.not_valid_after_utc)
    made = (
        _builder(title, authority.certificate.subject, key, authority.key, now, end)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
    )
    return made.sign(authority.key, hashes.SHA256()), key


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    now: datetime,
    end: datetime,
) -> x509.CertificateBuilder:
    """A certificate of that key, signed by the other; what signs itself is an authority, and may sign certificates."""
    public, signs = key.public_key(), key is signer
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - A_DAY)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(x509.BasicConstraints(ca=signs, path_length=0 if signs else None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not signs,
                key_cert_sign=signs,
                crl_sign=signs,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
    )


def _general(name: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(name)) if is_address(name) else x509.DNSName(name)


def _is_good(file: Path, authority: Authority, names: Iterable[str], now: datetime) -> bool:
    """Whether the certificate in a file is the authority's, for all these names, and for some time still."""
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
        found.verify_directly_issued_by(authority.certificate)
    except Exception:  # none, damaged, or of another authority: cryptography raises what it likes
        return False
    its = set(found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    return {_general(name) for name in names} <= its and now < found.not_valid_after_utc - RENEW_DAYS * A_DAY


def _write(file: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    """Put a certificate and its key into a file at once, for the owner alone. Raises SettingProblem."""
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mkstemp: for the owner alone
        with os.fdopen(handle, "wb") as opened:
            opened.write(private + certificate.public_bytes(Encoding.PEM))
        Path(made).replace(file)
    except OSError as error:
        raise SettingProblem(f"Can't write {file}: {error.strerror}. HTTPS needs it.") from None
