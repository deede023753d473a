# SPDX-License-Identifier: Apache-2.0
"""Assigns images to buckets and tasks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

SEED = 42
_MASK = (1 << 64) - 1
_P1, _P2, _P3, _P4, _P5 = (
    11400714785074694791,
    14029467366897019727,
    1609587929392839161,
    9650029242287828579,
    2870177450012600261,
)


def _rotated(value: int, bits: int) -> int:
    value &= _MASK
    return ((value << bits) | (value >> (64 - bits))) & _MASK


def _round(sum_: int, lane: int) -> int:
    return (_rotated(sum_ + lane * _P2, 31) * _P1) & _MASK


def xxhash64_plain(data: bytes) -> int:
    """Computes XXH64 with the seed 42, 0…2⁶⁴ - 1.

    **Source:** xxHash, "xxhash_spec.md", XXH64 algorithm description.
    """
    at, length = 0, len(data)
    if length >= 32:
        sums = [(SEED + _P1 + _P2) & _MASK, (SEED + _P2) & _MASK, SEED, (SEED - _P1) & _MASK]
        while at + 32 <= length:
            for lane in range(4):
                start = at + 8 * lane
                sums[lane] = _round(sums[lane], int.from_bytes(data[start : start + 8], "little"))
            at += 32
        hashed = sum(_rotated(each, bits) for each, bits in zip(sums, (1, 7, 12, 18), strict=True)) & _MASK
        for each in sums:
            hashed = ((hashed ^ _round(0, each)) * _P1 + _P4) & _MASK
    else:
        hashed = (SEED + _P5) & _MASK
    hashed = (hashed + length) & _MASK
    while at + 8 <= length:
        lane = _round(0, int.from_bytes(data[at : at + 8], "little"))
        hashed = (_rotated(hashed ^ lane, 27) * _P1 + _P4) & _MASK
        at += 8
    if at + 4 <= length:
        hashed ^= (int.from_bytes(data[at : at + 4], "little") * _P1) & _MASK
        hashed = (_rotated(hashed, 23) * _P2 + _P3) & _MASK
        at += 4
    for byte in data[at:]:
        hashed = (_rotated(hashed ^ ((byte * _P5) & _MASK), 11) * _P1) & _MASK
    hashed = ((hashed ^ (hashed >> 33)) * _P2) & _MASK
    hashed = ((hashed ^ (hashed >> 29)) * _P3) & _MASK
    return hashed ^ (hashed >> 32)


def _fastest() -> Callable[[bytes], int]:
    try:
        package = importlib.import_module("xxhash")
    except ImportError:
        return xxhash64_plain
    return lambda data: int(package.xxh64_intdigest(data, SEED))


_hash = _fastest()


def bucket(path: str, count: int) -> int:
    """Computes ``pmod(xxhash64(path), count)`` like Spark."""
    hashed = _hash(path.encode("utf-8", "surrogatepass"))
    return (hashed - (1 << 64) if hashed >> 63 else hashed) % count


def buckets(paths: Iterable[str], count: int) -> npt.NDArray[np.int32]:
    """Computes the bucket of each path."""
    return np.fromiter((bucket(path, count) for path in paths), np.int32)


def dealt(sizes: npt.NDArray[np.int64], parts: int) -> list[npt.NDArray[np.intp]]:
    """Deals rows to parts, the largest first, back and forth, so that parts have about equal bytes."""
    order = np.argsort(-sizes, kind="stable")
    turn = np.arange(len(order)) % (2 * parts)
    part = np.where(turn < parts, turn, 2 * parts - 1 - turn)
    found = [order[part == at] for at in range(parts)]
    return [rows for rows in found if len(rows)]
