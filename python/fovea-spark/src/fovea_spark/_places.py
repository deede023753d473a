# SPDX-License-Identifier: Apache-2.0
"""Folders of any store that Arrow supports, and names of files in them.

Names are used literally: ``%20`` in an entry is three characters. A name that is not UTF-8 is written as ``base64:``
and the base64 of its bytes, as in the program's CSV.
"""

from __future__ import annotations

import base64
import os
import urllib.parse
from typing import Any, NamedTuple

from fovea._json import csv_name


class Place(NamedTuple):
    """A folder.

    Attributes:
        scheme: ``file``, ``s3``, ``hdfs``, ``gs`` and so on.
        authority: The host of HDFS; empty if the path begins with a bucket.
        path: The folder in Arrow's form, without a trailing slash.
        query: Options of the store: ``endpoint_override=…&region=…``.
    """

    scheme: str
    authority: str
    path: str
    query: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is a local or mounted folder."""
        return self.scheme == "file"

    @property
    def shown(self) -> str:
        """The address without options, which may contain keys."""
        return f"{self.scheme}://{self.authority}{self.path}"

    def file(self, name: str) -> str:
        """Returns the path of a file in the folder."""
        return f"{self.path}/{name}" if self.path else name


#: Stores whose paths begin with a bucket.
_BUCKETS = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "abfs": "abfs", "abfss": "abfss"}


def place(address: str) -> Place:
    """Returns the folder of an address; a path without a scheme is local.

    Raises:
        ValueError: The scheme is not supported.
    """
    scheme, separator, rest = address.partition("://")
    if not separator:
        local = address.removeprefix("file:")
        return Place("file", "", os.path.abspath(local))
    if scheme == "file":
        return Place("file", "", os.path.abspath("/" + rest.lstrip("/")))
    rest, _, query = rest.partition("?")
    if scheme in _BUCKETS:
        return Place(_BUCKETS[scheme], "", rest.strip("/"), query)
    if scheme in ("hdfs", "viewfs"):
        authority, _, path = rest.partition("/")
        return Place(scheme, authority, "/" + path.rstrip("/"), query)
    raise ValueError(f"'{address}' begins with {scheme}://; file, s3, gs, abfs and hdfs can be read")


def file_system(folder: Place) -> Any:
    """Returns Arrow's file system of a folder.

    Raises:
        OSError, ImportError: The store's client is missing or refuses access.
    """
    import pyarrow.fs

    if folder.is_local:
        return pyarrow.fs.LocalFileSystem()
    bucket = folder.path.split("/", 1)[0] if folder.scheme in _BUCKETS.values() else folder.authority
    if folder.scheme == "s3":
        return _s3(bucket, dict(urllib.parse.parse_qsl(folder.query)))
    options = f"?{folder.query}" if folder.query else ""
    return pyarrow.fs.FileSystem.from_uri(f"{folder.scheme}://{bucket}{options}")[0]


#: S3's timeouts of a request and of a connection, in seconds.
_ANSWER, _CONNECT = 30.0, 10.0


def _s3(bucket: str, options: dict[str, str]) -> Any:
    """Returns S3 without its own retries, which would multiply with those of `Reader`."""
    import pyarrow.fs

    given: dict[str, Any] = {"request_timeout": _ANSWER, "connect_timeout": _CONNECT, **options}
    for name, value in given.items():
        if value in ("true", "false"):
            given[name] = value == "true"
        elif name in ("request_timeout", "connect_timeout"):
            try:
                given[name] = float(value)
            except ValueError:
                raise ValueError(f"the option {name} of the address is '{value}', seconds expected") from None
    try:
        if "region" not in options and "endpoint_override" not in options:
            # Check the options first: finding the region of the bucket needs a connection.
            pyarrow.fs.S3FileSystem(**given, region="us-east-1")
            given["region"] = pyarrow.fs.resolve_s3_region(bucket)
        return pyarrow.fs.S3FileSystem(
            **given, retry_strategy=pyarrow.fs.AwsStandardS3RetryStrategy(max_attempts=1)
        )
    except TypeError as reason:
        name = str(reason).rpartition(" ")[2]
        raise ValueError(
            f"the address of the bucket '{bucket}' has the option {name}, which Arrow does not know. Use "
            "region, endpoint_override, scheme or another option of pyarrow.fs.S3FileSystem"
        ) from None


#: The prefix of a name that encodes bytes.
_BYTES = "base64:"


def is_address(name: str) -> bool:
    """Whether a name has a scheme; base64 may contain two slashes anywhere."""
    return "://" in name and not name.startswith(_BYTES)


def named(path: bytes) -> str:
    """Returns a file's name in the table."""
    return csv_name(os.fsdecode(path))


def local_path(name: str) -> str:
    """Returns the local path of a name in the table."""
    if name.startswith(_BYTES):
        return os.fsdecode(base64.b64decode(name.removeprefix(_BYTES)))
    return name
