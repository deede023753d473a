# SPDX-License-Identifier: Apache-2.0
"""Finds objects with Apache Beam and writes JSON lines: beam_detect.py 'PATTERN' OUTPUT [Beam's options]"""

import json
import sys

import apache_beam as beam
from apache_beam.io import fileio
from apache_beam.ml.inference.base import KeyedModelHandler, RunInference
from apache_beam.options.pipeline_options import PipelineOptions
from fovea.beam import DetectorHandler


def line(row: tuple) -> str:
    """Returns the JSON object that the program writes, with the file's name."""
    name, answer = row
    return json.dumps({**answer.inference.to_dict(), "image": name}, ensure_ascii=False)


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pattern, target, *options = sys.argv[1:]
    with beam.Pipeline(options=PipelineOptions(options)) as pipeline:
        (
            pipeline
            | fileio.MatchFiles(pattern, fileio.EmptyMatchTreatment.DISALLOW)
            | fileio.ReadMatches()
            | beam.Map(lambda file: (file.metadata.path, file.read()))
            | RunInference(KeyedModelHandler(DetectorHandler()))
            | beam.Map(line)
            | beam.io.WriteToText(target, file_name_suffix=".jsonl")
        )


if __name__ == "__main__":
    main()
