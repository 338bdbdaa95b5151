"""The sha256 of every file of a bundle but the list itself, as the program sha256sum writes and reads it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from simulation.bundles.errors import BundleError
from simulation.bundles.layout import CHECKSUMS

_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


def checksum_list(files: Mapping[str, bytes]) -> bytes:
    lines = (f"{sha256(content)}  {name}\n" for name, content in sorted(files.items()))
    return "".join(lines).encode()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def refuse_wrong_checksums(files: Mapping[str, bytes]) -> None:
    """BundleError where the list is missing or unreadable, or a file is changed, missing or not listed."""
    listed = _listed(files)
    for name in sorted(listed.keys() | (files.keys() - {CHECKSUMS})):
        if name not in files:
            raise BundleError(f"{name} is listed in {CHECKSUMS} and is not there")
        if name not in listed:
            raise BundleError(f"{name} is not listed in {CHECKSUMS}")
        if sha256(files[name]) != listed[name]:
            raise BundleError(f"{name} was changed: its sha256 is not the one in {CHECKSUMS}")


def _listed(files: Mapping[str, bytes]) -> dict[str, str]:
    if CHECKSUMS not in files:
        raise BundleError(f"{CHECKSUMS} is missing")
    listed: dict[str, str] = {}
    for number, line in enumerate(files[CHECKSUMS].decode().splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match is None or match[2] in listed:
            raise BundleError(f"{CHECKSUMS}, line {number}: expected a sha256 and the name of a file, each once")
        listed[match[2]] = match[1]
    return listed
