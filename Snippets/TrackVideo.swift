// SPDX-License-Identifier: Apache-2.0
//
// Follows the objects in a video: each frame has its objects, which keep their identities.
//
//     swift run TrackVideo street.mp4

import Fovea
import FoveaVideo

let path = CommandLine.arguments.dropFirst().first ?? "Tests/Fixtures/video/h264.mp4"
let detector = try await ObjectDetector()

// At most five objects; new objects get identities from 0 at once. The detector runs on every third frame; in
// between boxes move with the image.
var options = ObjectTracker.Options.stream(threshold: 0.4)
options.detectEvery = 3
// The tracker and its parameters; `.byteTrack(.init())` and others are available for comparison.
if case .fovea(var configuration) = options.tracker {
  configuration.maxAge = 2
  options.tracker = .fovea(configuration)
}
let frames: TrackedFrames = detector.track(VideoFile(path), options: options)
do {
  var count = 0
  // `for try await frame in frames` does the same; the iterator also reports the state of the source.
  var iterator: TrackedFrames.Iterator = frames.makeAsyncIterator()
  while let frame: TrackedFrames.Element = try await iterator.next() {
    count += 1
    for object in frame.objects {
      print("frame \(frame.number), \(frame.seconds) s: \(object.trackingID ?? -1) at \(object.box)")
    }
  }
  print(
    "\(count) frames, \(iterator.state.skippedFrames) left out; failures are \(TrackedFrames.Failure.self)")
} catch {
  // A `TrackedFrames.Failure`, which is a `FoveaError`: it has a message and a remedy, for example to install
  // FFmpeg.
  print("\(error)")
}

// A camera or a network stream works the same way; this one does not exist.
var reading = VideoReader.Options()
reading.reconnectAttempts = 0
do {
  for try await frame in detector.track(VideoStream(VideoSource("no-such-video.mp4"), options: reading)) {
    print(frame.objects.count)
  }
} catch {
  print("\(error.code): \(error)")
}

// A folder of images works the same way too. The iterator also reports skipped images.
func lookAtFirst(_ folder: ImageFolder) async throws {
  var photos = detector.track(folder).makeAsyncIterator()
  if let first = try await photos.next() { print("\(first.size): \(first.objects.count) objects") }
  let state: SourceState = photos.state
  print("\(state.expectedFrames ?? 0) images, \(state.skippedFrames) skipped so far")
}
try await lookAtFirst(ImageFolder("Examples/photos", frameRate: 5))
