// SPDX-License-Identifier: Apache-2.0
//
// The program of docs/tutorials/first-video.md.

import Fovea
import FoveaTracking
import FoveaVideo

var detection = ObjectDetector.Options()
detection.threshold = 0.1  // weak boxes keep half-hidden objects alive
detection.allowedLabels = ["person"]
let detector = try await ObjectDetector(options: detection)

var line = try LineCounter(from: PixelPoint(x: 500, y: 432), to: PixelPoint(x: 500, y: 0))
var people: Set<Int> = []
for try await frame in detector.track(VideoFile("Examples/videos/people.mp4")) {
  people.formUnion(frame.objects.compactMap(\.trackingID))
  let objects = frame.objects.compactMap { object in
    object.trackingID.map { CountedObject(identity: $0, box: object.box, classIndex: 0) }
  }
  for crossing in line.update(objects) {
    print("frame \(frame.number): person \(crossing.identity) goes \(crossing.direction)")
  }
}
print("\(people.count) people, \(line.counts.in) in, \(line.counts.out) out")
