"""Slurm's own notations of resources: TRES lists, GRES lists, memory requests with flag bits, node states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from simulation.formats.collector import CellError
from simulation.formats.quantities import count, device_count, is_unknown, memory_bytes, number

_MIG = re.compile(r"(?:mig-?)?\d+g\.\d+gb(?:\+me)?", re.IGNORECASE)
_GRES_ENTRY = re.compile(r"([\w.+/-]+)(?::([\w.+-]*[A-Za-z_][\w.+-]*))?(?::(\d+[KMG]?))?")
_PER_CPU_BITS = (1 << 31, 1 << 63)


@dataclass(frozen=True, slots=True)
class Devices:
    """GPUs of a list: `whole` devices (None: it does not say), models named, MIG slices as profile:count."""

    whole: int | None
    models: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    @property
    def model(self) -> str | None:
        return "|".join(self.models) or None


@dataclass(frozen=True, slots=True)
class Tres:
    """A TRES list. `devices.whole` is 0 where the list is there and names no GPU; None where there is no list."""

    cpus: float | None
    memory_bytes: int | None
    nodes: int | None
    devices: Devices


NOTHING_KNOWN = Tres(None, None, None, Devices(None))


@lru_cache(maxsize=16_384)
def parse_tres(text: str, column: str) -> Tres:
    """`cpu=16,mem=128G,node=1,gres/gpu=8,gres/gpu:a100=8`: typed and untyped entries name the same devices."""
    if is_unknown(text):
        return NOTHING_KNOWN
    entries: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals:
            raise CellError(column, text, "a TRES list such as cpu=16,gres/gpu=8", f"{part!r} has no amount")
        entries[name.lower()] = value
    return Tres(
        number(entries["cpu"], column) if "cpu" in entries else None,
        memory_bytes(entries["mem"], column) if "mem" in entries else None,
        count(entries["node"], column) if "node" in entries else None,
        _tres_devices(entries, column),
    )


def _tres_devices(entries: dict[str, str], column: str) -> Devices:
    untyped = device_count(entries["gres/gpu"], column) if "gres/gpu" in entries else None
    typed = {
        name.removeprefix("gres/gpu:"): device_count(value, column) or 0
        for name, value in entries.items()
        if name.startswith("gres/gpu:")
    }
    return _devices(untyped, typed)


def parse_gres(text: str, column: str) -> Devices:
    """`gpu:a100:8(S:0-1)`, `gpu:8`, `gpu:1g.10gb:7,shard:8`: by name; only `gpu` counts, slices apart."""
    if text.strip().lower() in {"(null)", "none"}:
        return Devices(0)
    if is_unknown(text):
        return Devices(None)
    untyped: int | None = None
    typed: dict[str, int] = {}
    for part in re.sub(r"\([^)]*\)", "", text.removeprefix("gres:")).split(","):
        entry = _GRES_ENTRY.fullmatch(part.strip().replace("gres/", ""))
        if entry is None or entry[1].lower() != "gpu":
            continue
        amount = device_count(entry[3], column) if entry[3] else 1
        if entry[2]:
            typed[entry[2]] = typed.get(entry[2], 0) + (amount or 0)
        else:
            untyped = (untyped or 0) + (amount or 0)
    if untyped is not None and typed:
        untyped += sum(typed.values())
    return _devices(untyped, typed)


def _devices(untyped: int | None, typed: dict[str, int]) -> Devices:
    slices = {name: amount for name, amount in typed.items() if _MIG.fullmatch(name)}
    whole = {name: amount for name, amount in typed.items() if name not in slices}
    total = untyped if untyped is not None else sum(typed.values())
    left = max(0, total - sum(slices.values()))
    return Devices(
        left or (None if slices else 0),  # slices alone do not say how many devices they are cut from
        tuple(sorted(name for name, amount in whole.items() if amount)),
        tuple(f"{name}:{amount}" for name, amount in sorted(slices.items())),
    )


def requested_memory(text: str, column: str, cpus: float | None, nodes: int | None) -> int | None:
    """Bytes for the whole job of a ReqMem: `64G` in all, `4000Mc` a CPU, `31000Mn` a node, bit 2^31 or 2^63 a CPU.

    None where it is 0 (all of the node), or where the count that it multiplies is not known.
    """
    text = text.strip()
    if is_unknown(text) or text.rstrip("KMGTcn?") == "0":
        return None
    per = text[-1] if text[-1] in "cn" else ""
    plain = text.removesuffix(per) if per else text
    digits = re.match(r"[0-9]{1,20}", plain)
    if digits:
        for bit in _PER_CPU_BITS:
            if int(digits[0]) & bit:
                plain, per = str(int(digits[0]) & ~bit) + plain[digits.end() :], "c"
    size = memory_bytes(plain, column)
    if size is None or not per:
        return size
    times = cpus if per == "c" else nodes
    return None if times is None else round(size * times)


STATE_FLAGS = {
    "*": "not-responding",
    "~": "powered-down",
    "#": "powering-up",
    "%": "powering-down",
    "!": "power-down-pending",
    "@": "reboot",
    "^": "reboot",
    "$": "maintenance",
    "-": "planned",
}
_TAKES_NO_JOBS = frozenset(
    {"down", "drain", "drained", "draining", "drng", "fail", "failing", "error", "inval", "invalid", "unknown"}
    | {"future", "maint", "maintenance", "reboot", "reserved", "blocked", "power_down", "powering_down"}
    | {"powering-down", "not-responding", "not_responding", "no_respond"}
)


def node_state(text: str) -> tuple[str, tuple[str, ...], bool]:
    """(base state, flags in words, whether new jobs can start there) of `MIXED`, `IDLE+DRAIN`, `DOWN*+CLOUD`."""
    words = text.strip().split("+")
    flags: list[str] = []
    plain: list[str] = []
    for word in words:
        while word and word[-1] in STATE_FLAGS:
            flags.append(STATE_FLAGS[word[-1]])
            word = word[:-1]
        plain.append(word.lower())
    base, flags = plain[0], plain[1:] + flags
    schedulable = not _TAKES_NO_JOBS & {base, *flags}
    return base, tuple(flags), schedulable


def expand_hosts(text: str, column: str, limit: int = 100_000) -> list[str]:
    """Host names of `gpu[001-004,007]`, `rack[1-2]n[01-04]`, lists of them; padding kept, bracket groups multiply."""
    hosts: list[str] = []
    for part in _split_outside_brackets(text.strip()):
        hosts.extend(_expand_one(part, column, limit))
        if len(hosts) > limit:
            raise CellError(column, text, f"at most {limit:,} host names", "too many hosts")
    return hosts


def _split_outside_brackets(text: str) -> list[str]:
    return [part for part in re.split(r",(?![^\[]*\])", text) if part]


def _expand_one(text: str, column: str, limit: int) -> list[str]:
    names = [""]
    for piece in re.split(r"(\[[^\]]*\])", text):
        if piece.startswith("["):
            numbers = _expand_range(piece[1:-1], column, limit)
            if len(names) * len(numbers) > limit:
                raise CellError(column, text, f"at most {limit:,} host names", "too many hosts")
            names = [name + each for name in names for each in numbers]
        elif "[" in piece or "]" in piece:
            raise CellError(column, text, "host names such as gpu[001-004]", "a bracket is not closed")
        else:
            names = [name + piece for name in names]
    return names


def _expand_range(text: str, column: str, limit: int) -> list[str]:
    numbers: list[str] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not re.fullmatch(r"[0-9]{1,9}", first) or (dash and not re.fullmatch(r"[0-9]{1,9}", last)):
            raise CellError(column, text, "numbers such as 001-004,007", "not a range of numbers")
        end = int(last) if dash else int(first)
        if not int(first) <= end < int(first) + limit:
            raise CellError(column, text, f"a rising range of at most {limit:,}", "not a range of numbers")
        numbers.extend(str(each).zfill(len(first)) for each in range(int(first), end + 1))
    return numbers
