# SPDX-License-Identifier: Apache-2.0
"""Finds objects in a folder or bucket with Ray Data and writes Parquet: ray_detect.py INPUT OUTPUT [MODEL]"""

import sys

import fovea
import pyarrow as pa
import ray


class FoveaDetector:
    """One detector per actor, with one thread; an image that fails is a row with an error."""

    def __init__(self, model: str | None) -> None:
        self.detector = fovea.Detector(model, threads=1)

    def __call__(self, images: pa.Table) -> pa.Table:
        found = fovea.table(self.detector.batch(images.column("bytes").to_pylist()))
        return found.set_column(0, "path", images.column("path"))


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, target, *model = sys.argv[1:]
    # One actor per core: each has its own session.
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    images = ray.data.read_binary_files(source, include_paths=True)
    rows = images.map_batches(
        FoveaDetector,
        fn_constructor_args=[model[0] if model else None],
        compute=ray.data.ActorPoolStrategy(size=2),
        batch_format="pyarrow",
        batch_size=64,
        num_cpus=0.5,  # the other half is for reading and writing
    )
    rows.write_parquet(target)


if __name__ == "__main__":
    main()
