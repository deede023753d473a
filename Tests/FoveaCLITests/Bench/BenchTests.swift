// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCLI

/// An analyzer whose calls take times from a list; only they advance the clock.
private final class TimedAnalyzer: ImageAnalyzer {
  let now = Mutex(Duration.zero)
  let times: [Int]
  let calls = Atomic<Int>(0)

  init(_ times: [Int]) { self.times = times }

  func advance(_ milliseconds: Int) { now.withLock { $0 += .milliseconds(milliseconds) } }

  func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings {
    if photo.name.contains("bad") { throw Sample.error }
    advance(times[calls.wrappingAdd(1, ordering: .relaxed).oldValue % times.count])
    return Sample.findings
  }

  func inferenceTimes(in photo: Photo, count: Int) async throws(FoveaError) -> [Duration]? {
    (0..<count).map { .milliseconds(1 + $0) }
  }

  var clocks: BenchRunner.Clocks {
    .init(wall: { self.now.withLock { $0 } }, cpu: { self.now.withLock { $0 * 2 } })
  }
}

@Suite struct BenchTests {
  private static func report(_ plan: BenchPlan, _ analyzer: TimedAnalyzer) async throws -> BenchReport {
    var report = try await BenchRunner(plan: plan, clocks: analyzer.clocks).run(liteRT: "2.3.0") {
      () throws(FoveaError) in
      analyzer.advance(9)
      return analyzer
    }
    report.peakMemory = 41
    return report
  }

  @Test func `latency matches the schema`() async throws {
    let analyzer = TimedAnalyzer([21, 16, 18, 17])
    let plan = BenchPlan(
      task: .detect, mode: .latency, model: "m.tflite", threads: 2, repetitions: 3, files: ["dir/a.jpg"])
    let report = try await Self.report(plan, analyzer)
    #expect(
      report.json
        == #"{"schema": "bench/1", "tool": "fovea", "versions": {"fovea": "0.2.0", "litert": "2.3.0"}, "#
        + #""task": "detect", "mode": "latency", "model": "m.tflite", "threads": 2, "workers": 1, "#
        + #""repetitions": 3, "import_ms": null, "create_ms": 9, "images": [{"file": "a.jpg", "#
        + #""width": 4032, "height": 3024, "#
        + #""end_to_end_ms": {"first": 21, "median": 17, "p95": 17.9, "min": 16, "n": 3}, "#
        + #""inference_ms": {"first": 1, "median": 2, "p95": 2.9, "min": 1, "n": 3}, "#
        + #""cpu_s_per_image": 0.034, "results": [{"label": "Home good", "index": 1, "score": 0.91, "#
        + #""box": [812.4, 400, 1210.9, 1804.2]}]}], "peak_rss_mb": 41, "cpu_s": 0.162}"#)
    #expect(plan.sessionThreads == 2)
  }

  @Test func `without repetitions only the first call is reported`() async throws {
    let plan = BenchPlan(task: .label, mode: .latency, model: "m", repetitions: 0, files: ["a"])
    let report = try await Self.report(plan, TimedAnalyzer([5]))
    #expect(report.json.contains(#""end_to_end_ms": {"first": 5, "median": 5, "p95": 5, "min": 5, "n": 1}"#))
    #expect(report.json.contains(#""inference_ms": null, "cpu_s_per_image": null"#))
    #expect(plan.sessionThreads == nil)
  }

  @Test func `a failure ends the measurement of latency`() async throws {
    let plan = BenchPlan(task: .label, mode: .latency, model: "m", files: ["bad"])
    await #expect(throws: FoveaError.self) { try await Self.report(plan, TimedAnalyzer([5])) }
  }

  @Test func `throughput counts failures`() async throws {
    let plan = BenchPlan(
      task: .detect, mode: .throughput, model: "m", workers: 1, repetitions: 4, files: ["a", "x/bad", "c"])
    let report = try await Self.report(plan, TimedAnalyzer([10]))
    #expect(!report.isComplete)
    let failure = #""bad: the file ends after 100 of 4096 bytes""#
    guard case .throughput(var throughput) = report.measured else {
      Issue.record("expected throughput")
      return
    }
    #expect(throughput.images == 12 && throughput.failed == 4)
    throughput.peakMemory = 12.34
    var fixed = report
    fixed.measured = .throughput(throughput)
    #expect(
      fixed.json.contains(
        #""throughput": {"images": 12, "wall_s": 0.08, "cpu_s": 0.16, "images_per_s": 150, "#
          + #""cpu_s_per_image": 0.013333, "parallel": "threads", "peak_rss_mb": 12.3, "failed": 4, "#
          + #""failures": [\#(failure), \#(failure), \#(failure), \#(failure)]}"#))
    #expect(plan.sessionThreads == 1)
  }

  @Test func `workers share the files and skip none`() async throws {
    let analyzer = TimedAnalyzer([1])
    let plan = BenchPlan(
      task: .detect, mode: .throughput, model: "m", workers: 4, repetitions: 1,
      files: (0..<100).map { "\($0)" })
    let report = try await Self.report(plan, analyzer)
    #expect(report.isComplete)
    #expect(analyzer.calls.load(ordering: .relaxed) == 100)
  }

  @Test func `the table for people is aligned`() async throws {
    let plan = BenchPlan(
      task: .detect, mode: .latency, model: "m.tflite", repetitions: 3, files: ["dir/a.jpg"])
    let report = try await Self.report(plan, TimedAnalyzer([21, 16, 18, 17]))
    #expect(
      BenchTable.text(of: report) == """
        detect with m.tflite, latency, 1 session
        model ready after 9.00 ms

        image         size     first    median       p95       min  model only       CPU
        a.jpg  4032 × 3024  21.00 ms  17.00 ms  17.90 ms  16.00 ms     2.00 ms  34.00 ms

        peak memory 41.0 MiB, CPU time 0.16 s

        """)
  }

  @Test func `a video report matches the schema, and is also printed as text`() {
    var video = BenchReport.Video(file: "walk.mp4")
    video.size = PixelSize(width: 768, height: 432)
    (video.frames, video.wall, video.cpu) = (200, 4, 5)
    video.frame = TimeSummary([.milliseconds(16), .milliseconds(20)])
    (video.decode, video.detect, video.track) = (0.5, 15, 0.125)
    (video.detections, video.tracks) = (150, 1)
    let plan = BenchPlan(
      task: .detect, mode: .video, model: "m.tflite", threads: 1, repetitions: 1, files: ["in/walk.mp4"])
    let report = BenchReport(
      plan: plan, liteRT: nil, creation: 9, measured: .video(video), peakMemory: 41, cpu: 5.5)
    #expect(report.isComplete)
    #expect(
      report.json
        == #"{"schema": "bench/1", "tool": "fovea", "versions": {"fovea": "\#(Version.fovea)"}, "#
        + #""task": "detect", "mode": "video", "model": "m.tflite", "threads": 1, "workers": 1, "#
        + #""repetitions": 1, "import_ms": null, "create_ms": 9, "video": {"file": "walk.mp4", "width": 768, "#
        + #""height": 432, "frames": 200, "wall_s": 4, "cpu_s": 5, "frames_per_s": 50, "cpu_s_per_frame": 0.025, "#
        + #""frame_ms": {"first": 16, "median": 18, "p95": 19.8, "min": 16, "n": 2}, "#
        + #""decode_ms_per_frame": 0.5, "detect_ms_per_frame": 15, "track_ms_per_frame": 0.125, "#
        + #""detections": 150, "tracks": 1}, "peak_rss_mb": 41, "cpu_s": 5.5}"#)
    #expect(
      BenchTable.text(of: report) == """
        detect with m.tflite, video, 1 session
        model ready after 9.00 ms

        walk.mp4, 768 × 432: 200 frames in 4.00 s: 50.0 frames/s, 25.00 ms CPU each
        decode 0.50 ms, detect 15.00 ms, track 0.13 ms a frame; p95 of a decoded frame 19.80 ms
        1 identity

        peak memory 41.0 MiB, CPU time 5.50 s

        """)
  }

  @Test(arguments: [
    ([1.0], 0.95, 1.0), ([1, 2], 0.5, 1.5), ([1, 2, 3, 4, 5], 0.95, 4.8), ([1, 2, 3], 0, 1),
    ([1, 2, 3], 1, 3),
  ])
  func `a percentile lies between the closest ranks`(
    _ values: [Double], _ fraction: Double, _ expected: Double
  ) {
    #expect(abs(TimeSummary.percentile(values, fraction) - expected) < 1e-12)
  }

  @Test func `no times have no summary`() {
    #expect(TimeSummary([]) == nil)
  }

  @Test func `peak memory is read from the kernel's status text`() {
    #expect(ProcessUsage.peakMemory(inStatus: "Name:\tx\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n") == 2)
    #expect(ProcessUsage.peakMemory(inStatus: "Name:\tVmHWM\n") == nil)
  }

  @Test func `an unusable input ends the benchmark`() throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.png"])
    #expect(try BenchCommand.files([folder["in"]]) == [folder["in/a.jpg"], folder["in/b.png"]])
    let error = #expect(throws: FoveaError.self) { try BenchCommand.files([folder["in"], "none"]) }
    #expect(error?.message == "none: cannot be opened: No such file or directory")
  }
}
