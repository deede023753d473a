// SPDX-License-Identifier: Apache-2.0
//
// Follows objects in live frames that may arrive faster than they can be processed: the newest one is used.
//
//     swift run LiveSession

import Fovea

/// A stand-in for a camera, which shows a photo and counts.
struct PhotoCamera: FrameSource {
  let name = "photo camera"

  func open() throws(FoveaError) -> any FrameReader {
    try FrameArray(frames(), name: name).open()
  }

  private func frames() throws(FoveaError) -> [VideoFrame] {
    do throws(ImageError) {
      let canvas = try EncodedImage(path: "Examples/photos/coffee.jpg").canvas()
      let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
      let bytes = unsafe canvas.withUnsafeMutableBytes { unsafe [UInt8]($0) }
      let pixels = try PixelBuffer(layout, bytes: bytes)
      return (1...6).map { VideoFrame(pixels: pixels, number: $0, seconds: Double($0) / 30) }
    } catch {
      throw FoveaError(.unexpected, error.message, remedy: error.remedy)
    }
  }
}

var options = FrameSession.Options()
options.tracking = ObjectTracker.Options.stream(threshold: 0.3)
let session = try await FrameSession(detector: ObjectDetector(), options: options)
let results: FrameResults = session.results

// The camera's thread, which never waits for the detector.
let camera: any FrameReader = try PhotoCamera().open()
let filming = Task {
  while let frame = try camera.next() { session.submit(frame) }
  session.finish()
}

/// Prints each result, as `for await result in results` does.
///
/// Waiting never fails; a failure is the result of one frame.
func show(_ results: FrameResults) async {
  var iterator: FrameResults.Iterator = results.makeAsyncIterator()
  while let result: FrameResults.Element = await iterator.next() {
    switch result {
    case .success(let frame): print("frame \(frame.number): \(frame.objects.map { $0.trackingID ?? -1 })")
    case .failure(let error): print("\(error)")  // About one frame; the next ones follow.
    }
  }
}
await show(results)
print("failure of the sequence: \(FrameResults.Failure.self)")
try await filming.value
let counts: FrameCounts = session.counts
print("\(counts.submitted) frames, \(counts.dropped) of them dropped")

// Without a session: one frame at a time, with objects from any other detector.
var tracker = try ObjectTracker(frameRate: 30)
let still = try PhotoCamera().open()
while let frame = try still.next() {
  let x = 10 + 5 * Double(frame.number)
  let found = DetectedObject(box: BoundingBox(minX: x, minY: 20, maxX: x + 60, maxY: 120), score: 0.9)
  let tracked: TrackedFrame = try tracker.track(frame, objects: [found])
  print("frame \(frame.number): \(tracked.objects.map { $0.trackingID ?? -1 })")
}
