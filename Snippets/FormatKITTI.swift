// SPDX-License-Identifier: Apache-2.0
//
// Writes tracks in the format of KITTI's tracking benchmark, and reads them back.
//
//     swift run FormatKITTI

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

let line = KITTIWriter.line(
  frame: 0, identity: 3, kind: .car, box: BoundingBox(x: 100, y: 50, width: 40, height: 30), score: 0.9)
print(line)
let tracks = try KITTIReader().read(text: Array(line.utf8), name: "0000.txt")
for annotation in tracks.annotations { print(annotation.identity, annotation.box) }
