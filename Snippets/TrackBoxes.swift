// SPDX-License-Identifier: Apache-2.0
//
// Assigns identities to the boxes of any detector: no model, no images.
//
//     swift run TrackBoxes

import FoveaGeometry
import FoveaTracking

/// Returns the boxes of two people who walk towards each other.
func detections(_ number: Int) -> [TrackingDetection] {
  [50 + 8 * Double(number), 500 - 8 * Double(number)].map {
    TrackingDetection(box: BoundingBox(minX: $0, minY: 100, maxX: $0 + 40, maxY: 200), score: 0.9)
  }
}

// Every parameter has a documented default; live streams have their own set.
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

// For a frame without a detection run: the boxes moved with the image, if the motion is known.
tracker.move([], at: FrameTime(number: 41))
for track: Track in tracker.tracks where track.state == TrackState.tracked {
  tracker.move([MovedBox(identity: track.identity ?? -1, box: track.box)], at: FrameTime(number: 42))
  print("\(track.identity ?? -1) moves by \(track.velocityX) pixels per frame")
}

// Other trackers, for comparison, behind one protocol.
func identityCount(_ choice: Tracker) throws(TrackingError) -> Int {
  var other: any MultiObjectTracker = try choice.makeTracker(frameRate: 25)
  var identities: Set<Int> = []
  for number in 1...40 {
    let answers = other.update(detections(number), at: FrameTime(number: number))
    identities.formUnion(answers.compactMap(\.identity))
  }
  return identities.count
}
for kind in TrackerKind.allCases { print("\(kind): \(try identityCount(Tracker(kind))) identities") }
var patient = SORT.Configuration()
patient.maxAge = 30
print("\(try SORT(configuration: patient).configuration.maxAge) frames of memory")

var sure = ByteTrack.Configuration()
sure.highScore = 0.5
var observant = OCSORT.Configuration()
observant.maxAge = 30
for other in [try ByteTrack(configuration: sure), try OCSORT(configuration: observant)]
  as [any MultiObjectTracker]
{
  print(type(of: other))
}

// The camera's motion, if it is known: here 12 pixels to the left.
let pan = CameraMotion(dx: -12)
_ = tracker.update(detections(43), at: FrameTime(number: 43), cameraMotion: pan)

// After a recording: boxes are interpolated in the frames in which the object was missed.
let seen = [1, 2, 3, 4, 8].map { frame in
  RecordedBox(
    frame: frame, identity: 1, box: BoundingBox(x: 10 * Double(frame), y: 0, width: 20, height: 40))
}
print("\(GapInterpolation().fill(seen).count) boxes of \(seen.count)")

do {
  configuration.maxAge = -1
  _ = try FoveaTracker(configuration: configuration)
} catch {
  print(error.code == TrackingCode.invalidParameter)
  print("\(error)")
}
