# SPDX-License-Identifier: Apache-2.0
"""Handles: threads, processes, closing, cancelling, the end of the interpreter."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy as np
import pytest
from conftest import PHOTOS, numbers

import fovea
from fovea import _handle

SHARED_DETECTOR: fovea.Detector | None = None


def test_threads_match_a_single_one(photos: list[pathlib.Path]) -> None:
    with fovea.Detector(sessions=2) as detector:
        expected = [numbers(detector(photo)) for photo in photos]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(detector, photos * 6))
        assert [numbers(result) for result in found] == expected * 6
        assert [numbers(result) for result in detector.batch(photos, threads=4)] == expected


def test_closed_twice_and_used_after_close(cat: pathlib.Path) -> None:
    detector = fovea.Detector()
    result = detector(cat)
    detector.close()
    detector.close()
    assert detector.closed
    assert result.labels == ["cat"]
    for use in (lambda: detector(cat), lambda: detector.batch([cat]), lambda: detector.names):
        with pytest.raises(fovea.ClosedError) as caught:
            use()
        assert caught.value.code == "closed"
    with fovea.Detector() as other:
        pass
    assert other.closed


def test_closed_while_64_threads_use_it(cat: pathlib.Path) -> None:
    """Each call returns a result or raises `closed`, and close waits for running calls."""
    detector = fovea.Detector(threads=1)
    outcomes: list[Any] = []

    def use() -> None:
        for _ in range(20):
            try:
                outcomes.append(detector(cat).labels)
            except fovea.ClosedError as error:
                outcomes.append(error.code)
                return

    threads = [threading.Thread(target=use) for _ in range(64)]
    for thread in threads:
        thread.start()
    while len(outcomes) < 20:
        time.sleep(0.001)
    detector.close()
    assert detector.closed
    for thread in threads:
        thread.join(60)
    assert {str(outcome) for outcome in outcomes} == {"['cat']", "closed"}


def test_closed_by_a_signal_handler_inside_a_call() -> None:
    """The handle closes when the running call on the same thread ends."""
    closed: list[int] = []
    handle = _handle.Handle("thing", lambda: 7, closed.append)
    assert handle.acquire() == 7
    handle.close()
    assert closed == []
    handle.release()
    assert closed == [7]
    handle.close()
    assert closed == [7]
    del handle
    assert closed == [7]


def test_deleted_during_a_call(photos: list[pathlib.Path]) -> None:
    detector = fovea.Detector()
    found: list[fovea.Detections] = []
    thread = threading.Thread(target=lambda call=detector.batch: found.extend(call(photos)))
    thread.start()
    del detector
    thread.join(60)
    assert len(found) == len(photos)


def answer(path: str) -> list[Any]:
    assert SHARED_DETECTOR is not None
    return numbers(SHARED_DETECTOR(path))


def answer_of(detector: fovea.Detector, path: str) -> list[Any]:
    return numbers(detector(path))


def remember(detector: fovea.Detector) -> None:
    global SHARED_DETECTOR
    SHARED_DETECTOR = detector


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_process_pools_match_a_single_process(method: str, photos: list[pathlib.Path]) -> None:
    paths = [str(photo) for photo in photos[:6]]
    detector = fovea.Detector(threads=1)
    expected = [numbers(detector(path)) for path in paths]
    remember(detector)
    context = multiprocessing.get_context(method)
    with context.Pool(
        2, None if method == "fork" else remember, () if method == "fork" else (detector,)
    ) as pool:
        assert pool.map_async(answer, paths).get(120) == expected
    detector.close()


def test_a_detector_is_pickled_as_its_arguments(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PHOTOS)
    with fovea.Detector(threshold=0.6, max_objects=2) as detector:
        again = pickle.loads(pickle.dumps(detector))
        assert numbers(again("cat.jpg")) == numbers(detector("cat.jpg"))
        assert repr(again) == repr(detector)
    monkeypatch.chdir(tmp_path)
    labeler = pickle.loads(pickle.dumps(fovea.Labeler(max_results=1, threshold=0)))
    assert len(labeler(PHOTOS / "cat.jpg")) == 1
    with pytest.raises(TypeError, match="belongs to its process"):
        pickle.dumps(fovea.Tracker())


def script(text: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs a Python program."""
    command = [sys.executable, "-c", textwrap.dedent(text), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def test_a_fork_with_8_threads_running() -> None:
    done = script(
        """
        import os, sys, threading, fovea
        detector = fovea.Detector(threads=1, sessions=2)
        tracker = fovea.Tracker()
        expected = detector(sys.argv[1]).xyxy.tolist()
        stop = threading.Event()
        def work():
            while not stop.is_set():
                detector(sys.argv[1])
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads: thread.start()
        codes = []
        for _ in range(5):
            child = os.fork()
            if child == 0:
                own = fovea.Detector()
                same = own(sys.argv[1]).xyxy.tolist() == expected == detector(sys.argv[1]).xyxy.tolist()
                try:
                    tracker.update(None, own(sys.argv[1]))
                except fovea.ClosedError as error:
                    same = same and error.code == "wrong-process"
                else:
                    same = False
                os._exit(0 if same else 3)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        for thread in threads: thread.join()
        print(codes)
        """,
        str(PHOTOS / "cat.jpg"),
    )
    assert (done.stdout.strip(), done.returncode) == ("[0, 0, 0, 0, 0]", 0), done.stderr


def test_the_interpreter_ends_with_calls_in_flight() -> None:
    done = script(
        """
        import sys, threading, fovea
        detector = fovea.Detector(threads=1)
        def work():
            while True:
                detector.batch([sys.argv[1]] * 3)
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        detector(sys.argv[1])
        print("ends")
        """,
        str(PHOTOS / "cat.jpg"),
    )
    assert (done.stdout, done.returncode) == ("ends\n", 0), done.stderr


def test_ctrl_c_ends_a_batch() -> None:
    """KeyboardInterrupt, long before the batch is done; the detector still works."""
    began = time.monotonic()
    done = script(
        """
        import os, signal, sys, threading, fovea
        detector = fovea.Detector()
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            detector.batch([sys.argv[1]] * 100_000)
        except KeyboardInterrupt:
            print("interrupted", detector(sys.argv[1]).labels)
        """,
        str(PHOTOS / "cat.jpg"),
    )
    assert done.stdout == "interrupted ['cat']\n", done.stderr
    assert time.monotonic() - began < 50


def test_ctrl_c_while_a_batch_starts() -> None:
    """The batch's thread exists and is not awaited: it must do nothing."""
    done = script(
        """
        import os, signal, sys, threading, fovea
        detector = fovea.Detector()
        start = threading.Thread.start
        def interrupted(self):
            start(self)
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000): pass
        threading.Thread.start = interrupted
        try:
            detector.batch([sys.argv[1]] * 3000)
        except KeyboardInterrupt:
            left = [each for each in threading.enumerate() if each is not threading.main_thread()]
            for each in left: each.join(5)
            print("interrupted", [each.is_alive() for each in left if each.is_alive()])
        """,
        str(PHOTOS / "cat.jpg"),
    )
    assert done.stdout == "interrupted []\n", done.stderr


def test_any_handler_of_a_signal_ends_a_batch(cat: pathlib.Path, detector: fovea.Detector) -> None:
    def raises(number: int, frame: object) -> None:
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGALRM, raises)
    # Repeatedly: Python drops an exception of a handler while an object is being deleted.
    signal.setitimer(signal.ITIMER_REAL, 0.2, 1.5)
    try:
        with pytest.raises(TimeoutError, match="too late"):
            detector.batch([cat] * 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert detector(cat).labels == ["cat"]


def test_asyncio(cat: pathlib.Path) -> None:
    async def many() -> list[fovea.Detections]:
        with fovea.Detector(sessions=2) as detector:
            return await asyncio.gather(*(detector.detect_async(cat) for _ in range(6)))

    assert [result.labels for result in asyncio.run(many())] == [["cat"]] * 6

    async def label() -> fovea.Labels:
        with fovea.Labeler(threshold=0) as labeler:
            return await labeler.label_async(cat)

    assert len(asyncio.run(label())) > 0


def test_a_cancelled_task_cancels_the_run() -> None:
    async def cancelled() -> float:
        with fovea.Detector(slice=96, threads=1) as detector:
            image = np.random.default_rng(1).integers(0, 255, (1500, 1500, 3), np.uint8)
            task = asyncio.ensure_future(detector.detect_async(image))
            await asyncio.sleep(0.2)
            task.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await task
            detector.close()
            return time.monotonic() - began

    assert asyncio.run(cancelled()) < 20


def test_a_failed_call_of_asyncio_raises() -> None:
    async def missing() -> None:
        with fovea.Detector() as detector:
            await detector.detect_async("nothere.jpg")

    with pytest.raises(FileNotFoundError):
        asyncio.run(missing())


def test_sub_interpreters_fail_or_work() -> None:
    """Some versions of numpy reject a second interpreter; in any case the process survives."""
    done = script(
        """
        import fovea
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        detector = fovea.Detector()
        own = interpreters.create()
        try:
            interpreters.run_string(own, "import fovea; fovea.Detector().close()")
        except Exception as error:
            print("refused", type(error).__name__)
        interpreters.destroy(own)
        print(len(detector.names))
        """
    )
    assert done.stdout.splitlines()[-1] == "80", done.stderr
    assert done.returncode == 0


def resident() -> int:
    """The resident memory of this process, in bytes."""
    pages = int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_ten_thousand_calls_leak_nothing() -> None:
    """10,000 calls on a tiny image, every tenth of which fails and every hundredth is a batch; memory stays constant."""
    model = pathlib.Path(__file__).resolve().parents[3] / "Tests/Fixtures/models/ssd_postprocess.tflite"
    image = np.full((64, 96, 3), 127, np.uint8)

    def work(count: int) -> None:
        for number in range(count):
            found = detector(image)
            assert len(found.xyxy) == len(found.labels)
            if number % 10 == 0:
                detector.batch([b"no image", image])
            if number % 100 == 0:
                found.to_json()
                found[:1].upright()

    with fovea.Detector(model, threshold=0, threads=1) as detector:
        work(2_000)
        before = resident()
        work(10_000)
        grown = resident() - before
    assert grown < 4 * 1024 * 1024, f"{grown} bytes more"


def test_opening_and_closing_leaks_little() -> None:
    model = pathlib.Path(__file__).resolve().parents[3] / "Tests/Fixtures/models/ssd_postprocess.tflite"
    for _ in range(50):
        fovea.Detector(model).close()
    before = resident()
    for number in range(300):
        if number % 2:
            fovea.Detector(model)
        else:
            fovea.Detector(model, labels=["a", "b", "c"]).close()
    assert resident() - before < 8 * 1024 * 1024
