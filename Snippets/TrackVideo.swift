// SPDX-License-Identifier: Apache-2.0
//
// Follows the objects through a video: every frame comes with the objects in it, which keep their identities.
//
//     swift run TrackVideo street.mp4

import Fovea
import FoveaVideo

let path = CommandLine.arguments.dropFirst().first ?? "Tests/Fixtures/video/h264.mp4"
let detector = try await ObjectDetector()

// At most five objects, identities from 0 that an object has at once. The detector looks at every third frame; in
// between boxes move with the image.
var options = ObjectTracker.Options.stream(threshold: 0.4)
options.detectEvery = 3
// The tracker and its parameters; `.byteTrack(.init())` and others are there to compare with.
if case .fovea(var configuration) = options.tracker {
  configuration.maxAge = 2
  options.tracker = .fovea(configuration)
}
let frames: TrackedFrames = detector.track(VideoFile(path), options: options)
do {
  var count = 0
  // `for try await frame in frames` does the same; the iterator also tells what is known of the source.
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
  // A `TrackedFrames.Failure`, which is a `FoveaError`: the message says what happened, and the remedy what to do: for example that FFmpeg is not installed.
  print("\(error)")
}

// A camera or a network stream goes the same way; this one is not there.
var reading = VideoReader.Options()
reading.reconnectAttempts = 0
do {
  for try await frame in detector.track(VideoStream(VideoSource("no-such-video.mp4"), options: reading)) {
    print(frame.objects.count)
  }
} catch {
  print("\(error.code): \(error)")
}

// And so does a folder of images. The iterator also knows what happened on the way.
func lookAtFirst(_ folder: PictureFolder) async throws {
  var photos = detector.track(folder).makeAsyncIterator()
  if let first = try await photos.next() { print("\(first.size): \(first.objects.count) objects") }
  let state: SourceState = photos.state
  print("\(state.expectedFrames ?? 0) images, \(state.skippedFrames) skipped so far")
}
try await lookAtFirst(PictureFolder("Examples/photos", frameRate: 5))
