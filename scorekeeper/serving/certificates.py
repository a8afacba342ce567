"""The TLS certificate of a home server, and the local certificate authority that signs it and that phones trust.

The authority's key could be used to impersonate every site that it may sign for. So name constraints limit it to names
used in home networks, and to addresses; the key never leaves the instance folder.
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

AUTHORITY, SERVER = "authority.pem", "server.pem"  # each with its private key, so that the two always match
AUTHORITY_DAYS = 3650
# Apple accepts at most 825 days from manually trusted authorities (https://support.apple.com/103769).
SERVER_DAYS = 397
RENEW_DAYS = 60  # renew this long before expiry
A_DAY = timedelta(days=1)  # tolerance for clocks that differ
# Domains that routers and phones use in home networks.
HOME = ("local", "localhost", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")
NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


@dataclass(frozen=True)
class Authority:
    """A local certificate authority: certificate and private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def name(self) -> str:
        """The common name, shown by phones."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """SHA-256 fingerprint in hexadecimal: 64 digits, in pairs."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def der(self) -> bytes:
        """The certificate in DER format, which every kind of phone can install."""
        return self.certificate.public_bytes(Encoding.DER)

    def may_sign(self, name: str) -> bool:
        """True if the name constraints allow `name`, which may be an address."""
        constraints = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        suffixes = [each.value for each in constraints.permitted_subtrees or ()]
        return is_address(name) or any(name == suffix or name.endswith(f".{suffix}") for suffix in suffixes)


def keep_current(folder: Path, names: Iterable[str], now: datetime) -> bool:
    """Issue a certificate if it is missing, expires soon, or does not cover `names`; return True if one was issued.

    `names` may be names or addresses. Raises SettingProblem.
    """
    authority = find_authority(folder, names, now)
    now = max(now, authority.certificate.not_valid_before_utc + A_DAY)  # a small computer's clock may restart at boot
    signed = [name for name in dict.fromkeys(names) if authority.may_sign(name)]
    if _is_current(folder / SERVER, authority, signed, now):
        return False
    _write(folder / SERVER, *issue(authority, signed, now))
    return True


def find_authority(folder: Path, names: Iterable[str], now: datetime) -> Authority:
    """Return the authority in `folder`; create one that may sign for `names` if it is missing or expires soon."""
    file = folder / AUTHORITY
    if file.exists():
        authority = read_authority(file)
        if now < authority.certificate.not_valid_after_utc - RENEW_DAYS * A_DAY:
            return authority
    authority = make_authority(names, now)
    _write(file, authority.certificate, authority.key)
    return authority


def read_authority(file: Path) -> Authority:
    """Load an authority; raises SettingProblem."""
    try:
        content = file.read_bytes()
        key = load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (OSError, ValueError, TypeError) as error:
        raise SettingProblem(
            f"Can't read {file}: {error}. Delete it, and trust the new authority on each phone."
        ) from None
    assert isinstance(key, ec.EllipticCurvePrivateKey)  # noqa: S101 (as created below)
    return Authority(certificate, key)


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_name(name: str) -> bool:
    """True for a valid host name: letters, digits, dashes and dots."""
    return len(name) <= 253 and bool(NAME.fullmatch(name))


def make_authority(names: Iterable[str], now: datetime) -> Authority:
    """Create an authority for home network domains and `names`."""
    own = [name for name in dict.fromkeys(names) if not is_address(name)]
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Scorekeeper on {(own or ['this computer'])[0]}"[:64])])
    key = ec.generate_private_key(ec.SECP256R1())
    home = x509.NameConstraints([x509.DNSName(name) for name in dict.fromkeys([*HOME, *own])], None)
    made = _builder(title, title, key, key, now, now + AUTHORITY_DAYS * A_DAY).add_extension(home, critical=True)
    return Authority(made.sign(key, hashes.SHA256()), key)


def issue(
    authority: Authority, names: Iterable[str], now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Issue a certificate for these names and addresses; return it with its private key."""
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
    """Build a certificate of `key`, signed by `signer`; if self-signed, it is an authority's."""
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


def _is_current(file: Path, authority: Authority, names: Iterable[str], now: datetime) -> bool:
    """True if the file's certificate was issued by the authority, covers all names, and does not expire soon."""
    try:
        found = x509.load_pem_x509_certificate(file.read_bytes())
        found.verify_directly_issued_by(authority.certificate)
    except Exception:  # missing, damaged, or by another authority: cryptography raises various exceptions
        return False
    its = set(found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    return {_general(name) for name in names} <= its and now < found.not_valid_after_utc - RENEW_DAYS * A_DAY


def _write(file: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a certificate and its key to a file atomically, readable by the owner only. Raises SettingProblem."""
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mkstemp: readable by the owner only
        with os.fdopen(handle, "wb") as opened:
            opened.write(private + certificate.public_bytes(Encoding.PEM))
        Path(made).replace(file)
    except OSError as error:
        raise SettingProblem(f"Can't write {file}: {error.strerror}. HTTPS needs it.") from None
