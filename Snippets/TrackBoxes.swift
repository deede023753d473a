// SPDX-License-Identifier: Apache-2.0
//
// Gives boxes of any detector their identities: no model, no pictures.
//
//     swift run TrackBoxes

import FoveaGeometry
import FoveaTracking

/// Two who walk towards one another.
func detections(_ number: Int) -> [TrackingDetection] {
  [50 + 8 * Double(number), 500 - 8 * Double(number)].map {
    TrackingDetection(box: BoundingBox(minX: $0, minY: 100, maxX: $0 + 40, maxY: 200), score: 0.9)
  }
}

// Every parameter has a documented default; a live stream has a set of its own.
var configuration = FoveaTracker.Configuration()
configuration.frameRate = 25
configuration.maxAge = 1.5
var tracker = try FoveaTracker(configuration: configuration)
for number in 1...40 {
  let answers: [TrackedDetection] = tracker.update(detections(number), at: FrameTime(number: number))
  for answer in answers where number % 20 == 0 && answer.outcome == TrackedDetection.Outcome.tracked {
    print("frame \(number): \(answer.identity ?? -1) at \(answer.box)")
  }
}

// On a frame without a detector: where the objects went with the picture, if anybody knows.
tracker.move([], at: FrameTime(number: 41))
for track: Track in tracker.tracks where track.state == TrackState.tracked {
  tracker.move([MovedBox(identity: track.identity ?? -1, box: track.box)], at: FrameTime(number: 42))
  print("\(track.identity ?? -1) moves by \(track.velocityX) pixels a frame")
}

// Other trackers, for comparison, behind one protocol.
func identityCount(_ kind: TrackerKind) throws(TrackingError) -> Int {
  var other: any MultiObjectTracker = try kind.makeTracker(frameRate: 25)
  var identities: Set<Int> = []
  for number in 1...40 {
    let answers = other.update(detections(number), at: FrameTime(number: number))
    identities.formUnion(answers.compactMap(\.identity))
  }
  return identities.count
}
for kind in TrackerKind.allCases { print("\(kind): \(try identityCount(kind)) identities") }
var patient = SORT.Configuration()
patient.maxAge = 30
print("\(try SORT(configuration: patient).configuration.maxAge) frames of memory")

do {
  configuration.maxAge = -1
  _ = try FoveaTracker(configuration: configuration)
} catch {
  print(error.code == TrackingError.Code.invalidParameter)
  print("\(error)")
}
