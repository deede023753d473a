// SPDX-License-Identifier: Apache-2.0

// The guide "Detect, track and classify objects with a custom classification model", its live part:
// captureOutput(_:didOutput:from:) receives the frames, and each object keeps its trackingID from frame to
// frame.
//
//   swift run LiveTracking VIDEO [MODEL.tflite] [--live]
//
// --live plays the video in real time and drops frames that arrive while the detector is busy, as a camera
// does.

import Foundation
import FoveaVideo
import MLKit

let given = CommandLine.arguments.dropFirst().filter { $0 != "--live" }
let isLive = CommandLine.arguments.contains("--live")
guard let videoPath = given.first else {
  print("usage: LiveTracking VIDEO [MODEL.tflite] [--live]")
  exit(64)
}

/// Processes each frame and records how long each object was seen.
final class FrameHandler: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  private let isLive: Bool
  private let objectDetector: ObjectDetector
  private(set) var frames = 0
  private(set) var dropped = 0
  private(set) var seen: [Int: (frames: Int, last: CGRect, label: String)] = [:]

  init(_ objectDetector: ObjectDetector, isLive: Bool) {
    self.isLive = isLive
    self.objectDetector = objectDetector
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    frames += 1
    let image = VisionImage(buffer: sampleBuffer)
    image.orientation = .up
    var objects: [Object]
    do {
      objects = try objectDetector.results(in: image)
    } catch let error {
      print("frame \(frames): \(error.localizedDescription)")
      return
    }
    for object in objects {
      guard let trackingID = object.trackingID?.intValue else { continue }
      // A weak detection has no label; the previous one is kept.
      let before = seen[trackingID]
      let label = object.labels.first?.text ?? before?.label ?? "object"
      seen[trackingID] = ((before?.frames ?? 0) + 1, object.frame, label)
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    dropped += 1
  }

  /// Prints the objects, after the last frame.
  func report() {
    print("\(frames) frames, \(seen.count) identities\(isLive ? ", \(dropped) dropped" : "")")
    for (id, object) in seen.sorted(by: { $0.key < $1.key }) {
      let last = object.last
      print(
        "  \(id): \(object.label), \(object.frames) frames, last at \(Int(last.minX)), \(Int(last.minY)),",
        "size \(Int(last.width)) × \(Int(last.height))")
    }
  }
}

// Stream mode is the default. Without a custom model, the base detector with its coarse categories is used.
let options: CommonObjectDetectorOptions
if given.count > 1 {
  let custom = CustomObjectDetectorOptions(localModel: LocalModel(path: given[1]))
  custom.classificationConfidenceThreshold = NSNumber(value: 0.5)
  custom.maxPerObjectLabelCount = 3
  options = custom
} else {
  options = ObjectDetectorOptions()
}
options.shouldEnableClassification = true
options.shouldEnableMultipleObjects = true
let handler = FrameHandler(ObjectDetector.objectDetector(options: options), isLive: isLive)

// A video replaces the camera here, which would be an AVCaptureDeviceInput(device:).
let session = AVCaptureSession()
session.addInput(FrameSourceInput(VideoFile(videoPath), pacing: isLive ? .realTime : .asFastAsPossible))
let output = AVCaptureVideoDataOutput()
output.alwaysDiscardsLateVideoFrames = isLive
output.setSampleBufferDelegate(handler, queue: DispatchQueue(label: "frames"))
session.addOutput(output)

let center = NotificationCenter.default
_ = center.addObserver(
  forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: .main
) { notification in
  print(notification.userInfo?[AVCaptureSessionErrorKey] ?? "The video cannot be read.")
  exit(1)
}
_ = center.addObserver(
  forName: AVCaptureSession.didStopRunningNotification, object: session, queue: .main
) { _ in
  MainActor.assumeIsolated { handler.report() }
  exit(0)
}
session.startRunning()
RunLoop.main.run()
