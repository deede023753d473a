// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Synchronization
import Testing

@testable import AppleCapture

@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct AVCaptureSessionTests {
  /// A session with a source and a delegate on its own queue.
  static func session(
    _ source: any FrameSource, _ delegate: ScriptedDelegate, discardsLate: Bool = true,
    settings: [String: Any]? = nil, pacing: FramePacing = .asFastAsPossible
  ) -> (AVCaptureSession, AVCaptureVideoDataOutput, SessionEvents) {
    let session = AVCaptureSession()
    session.beginConfiguration()
    session.sessionPreset = .vga640x480
    session.addInput(FrameSourceInput(source, pacing: pacing))
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = discardsLate
    output.videoSettings = settings
    output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "frames"))
    session.addOutput(output)
    session.commitConfiguration()
    return (session, output, SessionEvents(session))
  }

  @Test func `no frame is dropped if late frames wait, and the end is posted after the last one`() throws {
    let delegate = ScriptedDelegate()
    let source = ScriptedSource(try ScriptedSource.frames(40))
    let (session, output, events) = Self.session(source, delegate, discardsLate: false)
    #expect(!session.isRunning)
    session.startRunning()
    try events.waitForStop()
    #expect(!session.isRunning)
    #expect(delegate.record.withLock { $0.taken } == (0..<40).map(Double.init))
    #expect(delegate.record.withLock { $0.dropped } == [])
    #expect(events.names.withLock { $0 } == ["DidStartRunningNotification", "DidStopRunningNotification"])
    #expect(source.openings == 1)
    #expect(output.connection(with: .video)?.output === output)
  }

  @Test
  func
    `frames that arrive while the delegate is busy are dropped and reported, and the next one is delivered`()
    throws
  {
    let delegate = ScriptedDelegate(isHeld: true)
    // The second frame arrives while the delegate holds the first; the fifth once it is free again.
    let source = ScriptedSource(try ScriptedSource.frames(5)) { [delegate] index in
      if index == 1 { _ = delegate.waitForFrame() }
      if index == 4 {
        delegate.gate?.signal()
        blockUntil { delegate.record.withLock { $0.dropped.count } >= 3 }
        delegate.gate?.signal()
      }
    }
    let (session, _, events) = Self.session(source, delegate)
    session.startRunning()
    try events.waitForStop()
    #expect(delegate.record.withLock { $0.taken } == [0, 4])
    #expect(delegate.record.withLock { $0.dropped } == [1, 2, 3])
  }

  @Test func `without dropping, the source waits when four frames wait`() throws {
    let delegate = ScriptedDelegate(isHeld: true)
    let given = Mutex(0)
    let source = ScriptedSource(try ScriptedSource.frames(9)) { index in given.withLock { $0 = index } }
    let (session, _, events) = Self.session(source, delegate, discardsLate: false)
    session.startRunning()
    #expect(delegate.waitForFrame())
    blockUntil { given.withLock { $0 } >= 4 }
    // The fifth frame was read and is held by the reading thread; no sixth is requested.
    Thread.sleep(forTimeInterval: 0.02)
    #expect(given.withLock { $0 } == 4)
    for _ in 0..<9 { delegate.gate?.signal() }
    try events.waitForStop()
    #expect(delegate.record.withLock { $0.taken.count } == 9)
  }

  @Test
  func `stopping ends reading at once, also while the delegate is busy, and drops the waiting frames`()
    throws
  {
    let delegate = ScriptedDelegate(isHeld: true)
    let source = ScriptedSource(try ScriptedSource.frames(100))
    let (session, _, events) = Self.session(source, delegate, discardsLate: false)
    session.startRunning()
    #expect(delegate.waitForFrame())
    session.stopRunning()
    #expect(!session.isRunning)
    #expect(source.isCancelled)
    try events.waitForStop()
    // Once for the frame that the delegate still holds, then for each of the second run.
    for _ in 0..<101 { delegate.gate?.signal() }
    // It can be started again, from the first frame.
    session.startRunning()
    try events.waitForStop()
    #expect(source.openings == 2)
    #expect(delegate.record.withLock { $0.taken.count } == 101)
    session.stopRunning()
  }

  @Test func `the delegate itself may stop the session`() throws {
    let holder = Mutex<AVCaptureSession?>(nil)
    let delegate = ScriptedDelegate { _ in holder.withLock { $0 }?.stopRunning() }
    let source = ScriptedSource(try ScriptedSource.frames(100))
    let (session, _, events) = Self.session(source, delegate, discardsLate: false)
    holder.withLock { $0 = session }
    session.startRunning()
    try events.waitForStop()
    #expect(delegate.record.withLock { $0.taken } == [0])
    holder.withLock { $0 = nil }
  }

  @Test func `a failing source is reported with its error, after the frames before it`() throws {
    let failure = FoveaError(.init(rawValue: "video-stream-lost"), "gone", remedy: "look")
    let delegate = ScriptedDelegate()
    let source = ScriptedSource(try ScriptedSource.frames(3), failure: failure)
    let (session, _, events) = Self.session(source, delegate, discardsLate: false)
    session.startRunning()
    try events.waitForStop()
    #expect(delegate.record.withLock { $0.taken.count } == 3)
    #expect(events.error.withLock { $0 }?.code == failure.code)
    #expect(
      events.names.withLock { $0 } == [
        "DidStartRunningNotification", "RuntimeErrorNotification", "DidStopRunningNotification",
      ])
  }

  @Test func `a source that does not open, and a session without one, are reported before start returns`() {
    let failure = FoveaError(.init(rawValue: "video-not-found"), "none", remedy: "look")
    let (session, _, events) = Self.session(ScriptedSource([], openFailure: failure), ScriptedDelegate())
    session.startRunning()
    #expect(events.names.withLock { $0 } == ["RuntimeErrorNotification"])
    #expect(events.error.withLock { $0 }?.code.rawValue == "video-not-found")
    #expect(!session.isRunning)
    let empty = AVCaptureSession()
    let told = SessionEvents(empty)
    empty.startRunning()
    #expect(told.error.withLock { $0 }?.code.rawValue == "capture-input-missing")
    empty.stopRunning()
  }

  @Test func `a session accepts one input, and each output once`() {
    let session = AVCaptureSession()
    let (first, second) = (FrameSourceInput(FrameArray([])), FrameSourceInput(FrameArray([])))
    #expect(session.canAddInput(first))
    session.addInput(first)
    #expect(!session.canAddInput(second))
    session.addInput(second)
    #expect(session.inputs == [first])
    session.removeInput(first)
    #expect(session.inputs.isEmpty)
    let output = AVCaptureVideoDataOutput()
    session.addOutput(output)
    #expect(!session.canAddOutput(output))
    session.addOutput(output)
    #expect(session.outputs == [output])
    #expect(session.connections.count == 1)
    session.removeOutput(output)
    #expect(session.outputs.isEmpty)
    #expect(output.connection(with: .video) == nil)
    #expect(output.connection(with: .audio) == nil)
  }

  @Test func `a disabled connection, and an output without a delegate, get no frames`() throws {
    let delegate = ScriptedDelegate()
    let (session, output, events) = Self.session(ScriptedSource(try ScriptedSource.frames(5)), delegate)
    output.connection(with: .video)?.isEnabled = false
    session.addOutput(AVCaptureVideoDataOutput())
    session.startRunning()
    try events.waitForStop()
    #expect(delegate.record.withLock { $0.taken.isEmpty && $0.dropped.isEmpty })
  }

  @Test(arguments: FrameFormat.all)
  func `frames have the requested format`(_ format: FrameFormat) throws {
    for code in FrameConversion.formats {
      let frames = try ScriptedSource.frames(1, format)
      let got = Mutex<[UInt8]>([])
      let delegate = ScriptedDelegate { sample in
        let pixels = sample.imageBuffer.flatMap { try? $0.pixels() }
        got.withLock { $0 = pixels.flatMap { try? colors($0) } ?? [] }
      }
      let settings = [kCVPixelBufferPixelFormatTypeKey as String: code]
      let (session, _, events) = Self.session(ScriptedSource(frames), delegate, settings: settings)
      session.startRunning()
      try events.waitForStop()
      #expect(delegate.record.withLock { $0.formats } == [code])
      // Chroma at half the size, twice, costs a few levels on a gradient.
      let expected = try colors(frames[0].pixels)
      #expect(got.withLock { largestDifference($0, expected) } <= 12, "\(code)")
    }
  }

  @Test func `an unavailable format ends the session with an error`() throws {
    for value in [kCVPixelFormatType_32ARGB as Any, "BGRA", -1, NSNumber(value: 7), Double.nan] {
      let delegate = ScriptedDelegate()
      let (session, _, events) = Self.session(
        ScriptedSource(try ScriptedSource.frames(2)), delegate,
        settings: [kCVPixelBufferPixelFormatTypeKey: value])
      session.startRunning()
      try events.waitForStop()
      #expect(events.error.withLock { $0 }?.code.rawValue == "image-unsupported-pixel-format", "\(value)")
      #expect(delegate.record.withLock { $0.taken.isEmpty })
    }
    let number = [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: kCVPixelFormatType_32BGRA)]
    #expect(try FrameConversion(number).code == kCVPixelFormatType_32BGRA)
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `a video file runs to its end, each frame once`() throws {
    let delegate = ScriptedDelegate()
    let path = SharedData.path("video/firebase_cat_videoplayback.mp4")
    let (session, _, events) = Self.session(VideoFile(path), delegate, discardsLate: false)
    session.startRunning()
    try events.waitForStop()
    let reader = try VideoFile(path).open()
    var seconds: [Double] = []
    var width = 0
    while let frame = try reader.next() {
      seconds.append(frame.seconds)
      width = frame.pixels.uprightSize.width
    }
    let record = delegate.record.withLock { $0 }
    #expect(record.taken.count == seconds.count && seconds.count > 30)
    #expect(zip(record.taken, seconds).allSatisfy { abs($0 - $1) < 1e-8 })
    #expect(Set(record.sizes) == [width])
    #expect(events.error.withLock { $0 } == nil)
  }

  @Test func `a missing file is reported`() {
    let (session, _, events) = Self.session(VideoFile("/nowhere/walk.mp4"), ScriptedDelegate())
    session.startRunning()
    #expect(events.error.withLock { $0 }?.code.rawValue == "video-not-found")
  }
}
