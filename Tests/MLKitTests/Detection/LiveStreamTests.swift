// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Dispatch
import Foundation
import Fovea
import FoveaGeometry
import FoveaImage
import FoveaTesting
import MLKit
import Synchronization
import Testing

/// The guides' setup: a capture session sends frames to a delegate, which processes each with `results(in:)`.
@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct LiveStreamTests {
  /// Processes each frame with a new detector, like Google's sample.
  final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    /// Another number for each camera, so that no two share a stream.
    let maxObjectCount: Int
    let ids = Mutex<[[Int]]>([])
    let errors = Mutex<[String]>([])

    init(maxObjectCount: Int) { self.maxObjectCount = maxObjectCount }

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
      let image = VisionImage(buffer: sampleBuffer)
      image.orientation = .up
      let options = Options.coarse(.stream)
      options.maxObjectCount = maxObjectCount
      do {
        let objects = try MLKit.ObjectDetector.objectDetector(options: options).results(in: image)
        ids.withLock { $0.append(objects.compactMap { $0.trackingID?.intValue }) }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
  }

  static let formats = [
    kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  ]

  @Test(
    "A session's frames keep one identity, in each camera format", arguments: formats.indices)
  func session(_ format: Int) async throws {
    let frames = try (0..<5).map { number in
      VideoFrame(
        pixels: try #require(try StreamTests.frame(number * 6).imageBuffer).pixels(), number: number + 1,
        seconds: Double(number) / 30)
    }
    let camera = Camera(maxObjectCount: 11 + format)
    let session = AVCaptureSession()
    session.addInput(FrameSourceInput(FrameArray(frames), pacing: .asFastAsPossible))
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = false
    output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Self.formats[format]]
    output.setSampleBufferDelegate(camera, queue: DispatchQueue(label: "frames"))
    session.addOutput(output)
    let stops = Mutex(0)
    // Removed afterwards: another session may get this one's address.
    let observer = NotificationCenter.default.addObserver(
      forName: .AVCaptureSessionDidStopRunning, object: session, queue: nil
    ) { _ in stops.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    session.startRunning()
    defer { session.stopRunning() }
    try await waitUntil("the session has stopped") { stops.withLock { $0 } > 0 }
    #expect(stops.withLock { $0 } == 1)
    #expect(camera.errors.withLock { $0 } == [])
    #expect(camera.ids.withLock { $0 } == Array(repeating: [0], count: 5))
  }
}
