# SPDX-License-Identifier: Apache-2.0
"""The records of a job in OUTPUT/_fovea: its run, the inputs of each bucket, and the lock."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import socket
import time
import uuid
from typing import Any

from . import _places
from ._reasons import failure

#: Seconds without renewal after which a lock of another machine belongs to a crashed job.
STALE = 180
#: Seconds after which a lock without content belongs to a job that was killed while writing it.
_HALF = 10


class Refused(Exception):
    """The job does not start; the message has the reason and the remedy."""


def now() -> str:
    """Returns the current time in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


class Store:
    """Small files below an output folder."""

    def __init__(self, address: str) -> None:
        self.place = _places.place(address)
        try:
            self._system = _places.file_system(self.place)
        except (OSError, ImportError, ValueError) as reason:
            raise Refused(f"OUTPUT {self.place.shown} cannot be opened: {failure(reason)}") from reason
        if self.place.is_local:
            _check_folder(pathlib.Path(self.place.path))

    def path(self, name: str) -> str:
        """Returns the path of a file below the output folder."""
        return self.place.file(name)

    def read(self, name: str) -> dict[str, Any] | None:
        """Returns the object in a file; None if the file is missing or incomplete."""
        try:
            with self._system.open_input_stream(self.path(name)) as file:
                found = json.loads(file.read().decode("utf-8", "surrogateescape"))
        except FileNotFoundError:
            return None
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Writes an object, atomically in local folders and object stores."""
        text = (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogateescape")
        path = self.path(name)
        if self.place.is_local:
            target = pathlib.Path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            new = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
            try:
                new.write_bytes(text)
                os.replace(new, target)
            finally:
                new.unlink(missing_ok=True)
            return
        with self._system.open_output_stream(path) as file:
            file.write(text)

    def remove(self, name: str) -> None:
        """Removes a file, if it exists."""
        try:
            self._system.delete_file(self.path(name))
        except (FileNotFoundError, OSError):
            if self.exists(name):
                raise

    def remove_folder(self, name: str) -> None:
        """Removes a folder and its contents, if it exists."""
        if self.exists(name):
            self._system.delete_dir(self.path(name))

    def exists(self, name: str) -> bool:
        """Returns whether a file or folder exists."""
        import pyarrow.fs

        found = self._system.get_file_info(self.path(name)).type
        return bool(found != pyarrow.fs.FileType.NotFound)

    def sizes(self, name: str) -> dict[str, int]:
        """Returns the files in a folder, except Spark's own, with their sizes; none if it is missing."""
        import pyarrow.fs

        found = self._system.get_file_info(pyarrow.fs.FileSelector(self.path(name), allow_not_found=True))
        return {each.base_name: each.size for each in found if not each.base_name.startswith(("_", "."))}

    def entries(self) -> list[str]:
        """Returns the names in the output folder; none if it is missing."""
        import pyarrow.fs

        selector = pyarrow.fs.FileSelector(self.place.path, allow_not_found=True)
        return sorted(entry.base_name for entry in self._system.get_file_info(selector))


def _check_folder(path: pathlib.Path) -> None:
    """Verifies that a folder exists or can be created.

    Raises:
        Refused: It, or one above it, is a file.
    """
    there = next(each for each in (path, *path.parents) if os.path.lexists(each))
    if not there.is_dir():
        raise Refused(
            f"OUTPUT {path} cannot be created: {there} is not a folder. Pass a folder; it is created"
        )


class Lock:
    """Prevents two jobs from writing into one output folder."""

    NAME = "_fovea/lock.json"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._content = {
            "id": uuid.uuid4().hex,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "process_start": process_start(os.getpid()),
            "renewed": now(),
        }

    def take(self) -> None:
        """Acquires the lock.

        Raises:
            Refused: Another job has it.
        """
        held = self._store.read(self.NAME)
        if held is not None and not is_stale(held):
            raise Refused(self._reason(held))
        if held is not None or not self._store.place.is_local:
            self._store.write(self.NAME, self._content)
        else:
            self._create()
        # If two jobs found no lock, the one whose content remains wins.
        found = self._store.read(self.NAME) or {}
        if found.get("id") != self._content["id"]:
            raise Refused(self._reason(found))

    def _create(self) -> None:
        path = pathlib.Path(self._store.path(self.NAME))
        shown = self._store.place.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as reason:
            raise Refused(
                f"OUTPUT {shown} cannot be created: {reason.strerror}. Pass a writable folder"
            ) from reason
        try:
            file = path.open("x", encoding="utf-8")
            try:
                with file:
                    json.dump(self._content, file)
            except OSError:  # the disk is full: an incomplete lock would block every later job
                path.unlink(missing_ok=True)
                raise
        except FileExistsError:
            held = self._store.read(self.NAME)
            if held is not None or abs(time.time() - path.stat().st_mtime) < _HALF:
                raise Refused(self._reason(held or {})) from None
            self._store.write(self.NAME, self._content)
        except OSError as reason:
            raise Refused(
                f"OUTPUT {shown} cannot be written to: {reason.strerror}. Check its permissions and free space"
            ) from reason

    def _reason(self, held: dict[str, Any]) -> str:
        if not held:
            return f"another job is starting in {self._store.place.shown}. Wait until it ends, or choose another OUTPUT"
        return (
            f"another job is writing to {self._store.place.shown}: process {held.get('pid')} on {held.get('host')}, "
            f"its lock was renewed at {held.get('renewed')}. Wait until it ends, or choose another OUTPUT; if that "
            f"job is gone, remove {self._store.place.shown}/{self.NAME}"
        )

    def renew(self) -> None:
        """Renews the lock to show that the job is running.

        Raises:
            Refused: Another job took the lock because this one did not renew it for `STALE` seconds.
        """
        found = self._store.read(self.NAME)
        if found is not None and found.get("id") != self._content["id"]:
            raise Refused(self._reason(found))
        self._store.write(self.NAME, {**self._content, "renewed": now()})

    def release(self) -> None:
        """Releases the lock, unless another job has taken it."""
        found = self._store.read(self.NAME)
        if found is not None and found.get("id") == self._content["id"]:
            self._store.remove(self.NAME)


def process_start(pid: int) -> str | None:
    """Returns the start time of a local process, in ticks since boot; None if there is none."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]


def is_stale(held: dict[str, Any]) -> bool:
    """Returns whether the job of a lock is gone: its process on this machine, or its renewals elsewhere."""
    if held.get("host") == socket.gethostname() and isinstance(held.get("pid"), int):
        begun = process_start(held["pid"])
        return begun is None or begun != held.get("process_start")
    try:
        renewed = datetime.datetime.fromisoformat(str(held.get("renewed")))
    except ValueError:
        return True
    if renewed.tzinfo is None:
        renewed = renewed.replace(tzinfo=datetime.timezone.utc)
    return (datetime.datetime.now(datetime.timezone.utc) - renewed).total_seconds() > STALE
