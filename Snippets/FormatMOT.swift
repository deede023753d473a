// SPDX-License-Identifier: Apache-2.0
//
// Writes tracks in the format of MOT Challenge and in the other formats of `fovea track`.
//
//     swift run FormatMOT

import Fovea
import FoveaEvaluation
import FoveaFormats

var record = FrameRecord(
  source: "walk.mp4", number: 1, seconds: 0, size: PixelSize(width: 640, height: 480),
  objects: [
    DetectedObject(
      box: BoundingBox(x: 10, y: 20, width: 30, height: 60), score: 0.9,
      labels: [Label(text: "person", index: 0, confidence: 0.9)], trackingID: 1)
  ])
record.counts = CountTable(lines: [LineCounts()])

// A tracked frame converts to a record: FrameRecord(frame, source: "walk.mp4").
let mot = FrameMOTWriter().text(for: record)
let tracks: TrackFrames = try MOTReader(.results).read(text: Array(mot.utf8), name: "walk.txt")
print(mot, tracks.count)

let writers: [any FrameWriter] = [FrameJSONWriter(), FrameCSVWriter()]
for writer in writers { print(writer.header() + writer.text(for: record)) }
