# SPDX-License-Identifier: Apache-2.0
"""The child process that processes one image after the other, so that an image may crash it."""

from __future__ import annotations

import os
import pickle
import sys

from ._find import InProcess, receive, send, table_bytes


def main() -> None:
    """Reads the recipe and then images, and writes a row for each."""
    # The output of libraries must not mix with the rows.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    images = sys.stdin.buffer
    finder = InProcess(*pickle.loads(receive(images)))
    send(answers, b"")
    while True:
        try:
            image = pickle.loads(receive(images))
        except EOFError:
            return
        send(answers, table_bytes(finder.find([image])))


if __name__ == "__main__":
    main()
