#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the bucket of a model host through google-cloud-storage: eleven of its calls, each as in its documentation.

scripts/test-host runs it with its own host and a Python that has the client.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import time
import urllib.error
import urllib.request

CALLS = []


def call(name):
    """Adds a call to the list."""
    def add(function):
        CALLS.append((name, function))
        return function
    return add


def client(options):
    """Returns Google's client with the host's key; its threads call no one else."""
    os.environ["STORAGE_EMULATOR_HOST"] = options.base
    from google.auth import credentials  # pylint: disable=import-outside-toplevel
    from google.cloud import storage  # pylint: disable=import-outside-toplevel
    from google.oauth2 import service_account  # pylint: disable=import-outside-toplevel

    # Newer clients ask Google in the background where the key may be used, and send its token.
    boundary = getattr(credentials, "CredentialsWithRegionalAccessBoundary", None)
    if boundary is not None:
        boundary._is_regional_access_boundary_lookup_required = lambda self: False  # pylint: disable=protected-access
    info = json.loads(options.sa.read_text(encoding="utf-8"))
    return storage.Client(
        project=info["project_id"], credentials=service_account.Credentials.from_service_account_info(info))


def fails(function, kind):
    """Returns whether a call fails with an error of Google's."""
    from google.api_core import exceptions  # pylint: disable=import-outside-toplevel

    try:
        function()
    except getattr(exceptions, kind):
        return True
    return False


def send(method, url, data=None, headers=None):
    """Returns status and body of a plain request."""
    request = urllib.request.Request(url, method=method, data=data, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


@call("bucket.exists")
def bucket_exists(bucket, box):
    assert bucket.exists() and not bucket.client.bucket("another-bucket").exists()


@call("upload_from_filename")
def upload_from_filename(bucket, box):
    blob = bucket.blob("models/a.tflite")
    with tempfile.NamedTemporaryFile() as file:
        file.write(box["bytes"])
        file.flush()
        blob.upload_from_filename(file.name, if_generation_match=0)
    assert blob.generation and blob.size == len(box["bytes"])
    # An existing object stays.
    assert fails(lambda: blob.upload_from_string(b"other", if_generation_match=0), "PreconditionFailed")
    # The bytes would come back as they are, not decompressed.
    compressed = bucket.blob("models/compressed.tflite")
    compressed.content_encoding = "gzip"
    assert fails(lambda: compressed.upload_from_string(b"compressed"), "BadRequest")
    box["generation"] = blob.generation


@call("upload_from_file, resumable")
def upload_resumable(bucket, box):
    blob = bucket.blob("models/large.tflite", chunk_size=256 << 10)
    large = box["bytes"] + bytes(range(256)) * (4 << 10)
    with tempfile.TemporaryFile() as file:
        file.write(large)
        file.seek(0)
        blob.upload_from_file(file, size=len(large), if_generation_match=0)
    assert blob.size == len(large) and blob.download_as_bytes() == large
    assert fails(
        lambda: bucket.blob("models/large.tflite", chunk_size=256 << 10).upload_from_string(large, if_generation_match=0),
        "PreconditionFailed")


@call("blob.exists")
def blob_exists(bucket, box):
    assert bucket.blob("models/a.tflite").exists() and not bucket.blob("models/none.tflite").exists()
    assert bucket.get_blob("models/none.tflite") is None


@call("reload")
def reload(bucket, box):
    blob = bucket.blob("models/a.tflite")
    blob.reload()
    assert (blob.size, blob.generation) == (len(box["bytes"]), box["generation"]) and blob.crc32c
    assert fails(lambda: blob.reload(if_generation_match=1), "PreconditionFailed")
    assert fails(lambda: blob.reload(if_generation_not_match=blob.generation), "NotModified")


@call("download_as_bytes")
def download_as_bytes(bucket, box):
    blob = bucket.blob("models/a.tflite")
    assert blob.download_as_bytes(checksum="crc32c") == box["bytes"]
    assert blob.download_as_bytes(start=4, end=7) == b"TFL3"
    assert blob.download_as_bytes(if_generation_match=box["generation"]) == box["bytes"]
    assert fails(lambda: blob.download_as_bytes(if_generation_match=1), "PreconditionFailed")
    assert fails(lambda: bucket.blob("models/none.tflite").download_as_bytes(), "NotFound")


@call("download_to_filename")
def download_to_filename(bucket, box):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a"
        bucket.blob("models/a.tflite").download_to_filename(path)
        assert path.read_bytes() == box["bytes"]
        with bucket.blob("models/a.tflite").open("rb") as file:
            assert file.read(8) == box["bytes"][:8]


@call("list_blobs")
def list_blobs(bucket, box):
    for name in ("models/b/1", "models/b/2", "other"):
        bucket.blob(name).upload_from_string(name.encode())
    assert [blob.name for blob in bucket.list_blobs(prefix="models/", page_size=1)] == [
        "models/a.tflite", "models/b/1", "models/b/2", "models/large.tflite"]
    below = bucket.client.list_blobs(bucket, prefix="models/", delimiter="/")
    assert [blob.name for blob in below] == ["models/a.tflite", "models/large.tflite"] and below.prefixes == {"models/b/"}


@call("generate_signed_url, GET")
def signed_get(bucket, box):
    blob = bucket.blob("models/a.tflite")
    for version in ("v4", "v2"):
        url = blob.generate_signed_url(version=version, expiration=int(time.time()) + 300 if version == "v2" else 300)
        assert send("GET", url) == (200, box["bytes"]), version
        assert send("DELETE", url)[0] == 403, version


@call("generate_signed_url, PUT")
def signed_put(bucket, box):
    blob = bucket.blob("models/signed.tflite")
    for version in ("v4", "v2"):
        url = blob.generate_signed_url(
            version=version, method="PUT", content_type="application/octet-stream",
            expiration=int(time.time()) + 300 if version == "v2" else 300)
        content = box["bytes"] + version.encode()
        assert send("PUT", url, content, {"Content-Type": "text/html"})[0] == 403, version
        status, body = send("PUT", url, content, {"Content-Type": "application/octet-stream"})
        # A new one, because the other knows the previous generation.
        assert status == 200 and bucket.blob(blob.name).download_as_bytes() == content, (version, status, body)


@call("delete")
def delete(bucket, box):
    blob = bucket.blob("models/a.tflite")
    assert fails(lambda: blob.delete(if_generation_match=1), "PreconditionFailed") and blob.exists()
    blob.delete(if_generation_match=box["generation"])
    assert not blob.exists() and fails(blob.delete, "NotFound")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True)
    parser.add_argument("--sa", type=pathlib.Path, required=True)
    parser.add_argument("--bucket", required=True)
    options = parser.parse_args()
    bucket = client(options).bucket(options.bucket)
    box = {"bytes": b"\x1c\0\0\0TFL3" + bytes(range(256)) * 20}
    problems = 0
    for name, function in CALLS:
        try:
            function(bucket, box)
        except Exception as error:  # pylint: disable=broad-exception-caught
            problems += 1
            print(f"  {name}: {type(error).__name__}: {str(error)[:300]}")
    print(f"test-host: google-cloud-storage: {len(CALLS) - problems} of {len(CALLS)} calls")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
