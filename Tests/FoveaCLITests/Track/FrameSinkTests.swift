// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct FrameSinkTests {
  private static func sink(
    _ file: String, format: any FrameWriter = FrameCSVWriter(), errors: Int32 = -1, counts: Bool = false,
    line: String? = nil, gaps: GapFilling? = nil, limit: Int? = nil, total: Console.Total = Console.Total()
  ) throws -> FrameSink {
    let counters = try FrameCounters(
      lines: line.flatMap { LineArgument(argument: $0) }.map { [$0] } ?? [], zones: [], memory: 30)
    return FrameSink(
      console: Console(descriptor: errors, now: { .zero }), total: total, writer: format, isUpright: false,
      counters: counters, printsCountsOnly: counts, images: nil, gaps: gaps, limit: limit
    ) { () throws(OutputFile.Failure) in try OutputFile(path: file, appending: false, whenWhole: false) }
  }

  private static func frame(_ number: Int, _ identities: Int...) -> FeedFrame {
    FeedFrame(
      record: FrameRecord(
        source: "a, b.mp4", number: number, seconds: 0.24, size: PixelSize(width: 640, height: 480),
        objects: identities.map { identity in
          DetectedObject(
            box: BoundingBox(x: 10.5, y: 20, width: 30.25, height: 40.123456789), score: 0.75,
            labels: [Label(text: "cat", index: 3, confidence: 0.75)], trackingID: identity)
        }, timings: Sample.timings, tracking: .microseconds(125)))
  }

  @Test func `the header is printed once, frames in their order`() throws {
    let folder = try TemporaryFolder()
    let sink = try Self.sink(folder["o"])
    #expect(!folder.exists("o"))
    for number in 1...3 { try sink.accept(Self.frame(number, 4), state: SourceState()) }
    try sink.finish()
    try sink.finish()
    let lines = try folder.read("o").split(separator: "\n")
    #expect(
      lines.map { $0.prefix(12) } == ["image,frame,", "\"a, b.mp4\",1", "\"a, b.mp4\",2", "\"a, b.mp4\",3"])
  }

  @Test func `without frames only the header is printed`() throws {
    let folder = try TemporaryFolder()
    for (format, text) in [
      (FrameCSVWriter() as any FrameWriter, FrameCSVWriter().header()), (FrameJSONWriter(), ""),
    ] {
      try Self.sink(folder["o"], format: format).finish()
      #expect(try folder.read("o") == text)
    }
  }

  @Test func `the summary counts frames, identities and omissions`() throws {
    let folder = try TemporaryFolder()
    let errors = try PhotoRunTests.descriptor(folder["e"])
    defer { close(errors) }
    let sink = try Self.sink(folder["o"], errors: errors, line: "0,0,1,1")
    var state = SourceState()
    for number in 1...1_200 {
      var frame = Self.frame(number, 4, number / 600 + 5)
      frame.record.isDetected = number % 2 == 1
      state.skippedFrames = 3
      try sink.accept(frame, state: state)
    }
    sink.summary(to: Console(descriptor: errors, now: { .zero }), elapsed: .seconds(24))
    #expect(
      try folder.read("e") == """
        1,200 frames, 4 identities, detected on 600 frames, 3 skipped (could not be decoded), 50.0 frames/s
        line 1: 0 in, 0 out

        """)
  }

  @Test(
    arguments: [
      ("650,0,650,400", .up, "640 × 480"), ("650,0,650,400", .right, "640 × 480"), ("0,0,1,1", .up, nil),
      ("0,470,600,470", .right, nil),
    ] as [(String, Orientation, String?)])
  func `a line outside the frame has one note, in the pixels of the first frame`(
    _ line: String, _ orientation: Orientation, _ frame: String?
  ) throws {
    let folder = try TemporaryFolder()
    let errors = try PhotoRunTests.descriptor(folder["e"])
    defer { close(errors) }
    let sink = try Self.sink(folder["o"], errors: errors, line: line)
    for number in 1...3 {
      var turned = Self.frame(number, 1)
      turned.record.orientation = orientation
      try sink.accept(turned, state: SourceState())
    }
    let note = frame.map {
      "Line 1 is outside the frame of \($0) pixels; give its points in pixels from the top left corner.\n"
    }
    #expect(try folder.read("e") == (note.map { "fovea: " + $0 } ?? ""))
  }

  @Test func `one frame with one identity is reported in the singular`() throws {
    let folder = try TemporaryFolder()
    let errors = try PhotoRunTests.descriptor(folder["e"])
    defer { close(errors) }
    let sink = try Self.sink(folder["o"], errors: errors)
    try sink.accept(Self.frame(1, 1), state: SourceState())
    sink.summary(to: Console(descriptor: errors, now: { .zero }), elapsed: .zero)
    #expect(try folder.read("e") == "1 frame, 1 identity\n")
  }

  @Test func `only counts are printed at the end, without a header`() throws {
    let folder = try TemporaryFolder()
    let sink = try Self.sink(folder["o"], counts: true, line: "0,0,1,1")
    try sink.accept(Self.frame(1, 1), state: SourceState())
    #expect(!folder.exists("o"))
    try sink.finish()
    #expect(try folder.read("o") == "line 1: 0 in, 0 out\n")
  }

  @Test func `filled gaps are written at the end`() throws {
    let folder = try TemporaryFolder()
    let sink = try Self.sink(folder["o"], format: FrameMOTWriter(), gaps: GapFilling())
    for number in 1...6 {
      try sink.accept(number == 4 ? Self.frame(4) : Self.frame(number, 9), state: SourceState())
    }
    #expect(!folder.exists("o"))
    try sink.finish()
    #expect(
      try folder.read("o").split(separator: "\n").map { $0.prefix(4) } == [
        "1,9,", "2,9,", "3,9,", "4,9,", "5,9,", "6,9,",
      ])
  }

  @Test(
    arguments: [(nil, nil, nil), (90, nil, 90), (90, 20, 20), (nil, 20, 20), (10, 20, 10)]
      as [(Int?, Int?, Int?)])
  func `progress knows the number of frames`(_ expected: Int?, _ limit: Int?, _ total: Int?) throws {
    let folder = try TemporaryFolder()
    let count = Console.Total()
    let sink = try Self.sink(folder["o"], limit: limit, total: count)
    var state = SourceState()
    state.expectedFrames = expected
    try sink.accept(Self.frame(1), state: state)
    #expect(count.count == total)
  }

  @Test func `a full disk leaves complete lines and is reported`() async throws {
    // In a separate process whose files are limited to 4 KiB.
    await #expect(processExitsWith: .success) {
      ProcessSignals.ignorePipes()
      let folder = try TemporaryFolder()
      var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let sink = try FrameSinkTests.sink(folder["o"], format: FrameJSONWriter())
      var message: String?
      for number in 1...100 where message == nil {
        do throws(OutputFile.Failure) {
          try sink.accept(FrameSinkTests.frame(number, 1), state: SourceState())
        } catch {
          if case .failed(let error) = error { message = error.message }
        }
      }
      try sink.finish()
      let text = try folder.read("o")
      try #require(message?.hasSuffix("File too large") == true)
      try #require(text.utf8.count <= 4_096 && text.utf8.count > 3_000 && text.hasSuffix("}\n"))
      try #require(text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }
  }
}
