# SPDX-License-Identifier: Apache-2.0
"""Spark's buckets, and parts of about the same size."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from conftest import ODD_NAMES

from fovea_spark import _plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def names() -> list[str]:
    source = random.Random(7)
    letters = "abcxyz/._- %äß🐈"
    return [*ODD_NAMES, "", *("".join(source.choices(letters, k=length)) for length in range(1, 140))]


@pytest.mark.parametrize(("text", "hashed"), [("", 0x98B1582B0977E704), ("a", None)])
def test_known_hashes(text: str, hashed: int | None) -> None:
    if hashed is not None:
        assert _plan.xxhash64_plain(text.encode()) == hashed
    assert 0 <= _plan.xxhash64_plain(text.encode()) < 1 << 64


@pytest.mark.parametrize("count", [1, 7, 64])
def test_buckets_match_spark(spark: SparkSession, count: int) -> None:
    frame = spark.createDataFrame([(name,) for name in names()], "path string")
    found = frame.selectExpr("path", f"cast(pmod(xxhash64(path), {count}) as int) as bucket").collect()
    assert [row.bucket for row in found] == _plan.buckets(names(), count).tolist()


def test_the_package_xxhash_has_the_same_numbers() -> None:
    package = pytest.importorskip("xxhash")
    for name in names():
        assert package.xxh64_intdigest(name.encode(), 42) == _plan.xxhash64_plain(name.encode())


@pytest.mark.parametrize(("count", "parts"), [(0, 3), (1, 3), (100, 1), (1000, 8), (7, 8)])
def test_parts_have_about_the_same_size(count: int, parts: int) -> None:
    sizes = np.array([random.Random(at).randrange(1 << 20) for at in range(count)], np.int64)
    dealt = _plan.dealt(sizes, parts)
    assert sorted(np.concatenate([*dealt, np.empty(0, np.intp)]).astype(int).tolist()) == list(range(count))
    assert all(len(part) for part in dealt)
    if count == 1000:
        totals = [int(sizes[part].sum()) for part in dealt]
        assert max(totals) - min(totals) < 1 << 20
