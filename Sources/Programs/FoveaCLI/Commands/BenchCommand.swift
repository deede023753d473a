// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats

/// `fovea bench`: measures speed on the user's own model and photos.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of a model.",
    usage: "fovea bench <path>… [options]",
    discussion: """
      Example: fovea bench --model coco_ssd.tflite street.jpg
      Measures the time per photo (latency), the photos per second (throughput), or
      the frames per second (video).
      """)

  @Argument(help: ArgumentHelp("Photos and folders, or a video.", valueName: "path"))
  var paths: [String]

  @Option(help: "Task of the model.")
  var task = BenchPlan.Task.detect

  @Option(help: "Measurement mode.")
  var mode = BenchPlan.Mode.latency

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A .tflite file, folder or name (default: built in).", valueName: "file"))
  var model: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Timed runs per photo (latency) or passes over all (throughput).", valueName: "n"))
  var repetitions: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("latency: threads; 0 lets the library choose.", valueName: "n"))
  var threads = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("throughput: sessions; 0 is one per core.", valueName: "n"))
  var workers = 0

  @Option(parsing: .unconditional, help: ArgumentHelp("video: number of frames; 0 is all.", valueName: "n"))
  var frames = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of objects or labels (default: 5; video: 10).", valueName: "n"))
  var maxResults: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum score, 0 to 1 (default: 0; video: 0.4).", valueName: "s"))
  var threshold: Float?

  @OptionGroup var hints: ModelHintOptions
  @OptionGroup var pixels: PixelLimitOptions

  @Flag(help: "Print one line of JSON, schema bench/1.")
  var json = false

  func validate() throws {
    if paths.contains("-") { throw ValidationError("bench reads files, not standard input.") }
    for (name, value) in [
      ("repetitions", repetitions ?? 0), ("threads", threads), ("workers", workers), ("frames", frames),
    ] {
      guard (0...1_000_000).contains(value) else {
        throw ValidationError("--\(name) must be between 0 and 1000000, got \(value).")
      }
    }
    guard max(threads, workers) <= 256 else {
      throw ValidationError("--threads and --workers must be at most 256.")
    }
    if mode == .throughput && threads != 0 {
      throw ValidationError("--threads is for --mode latency; each session of --workers has one thread.")
    }
    if mode != .throughput && workers != 0 {
      throw ValidationError(
        "--workers is for --mode throughput; \(mode.rawValue) uses one session with --threads threads.")
    }
    if task != .detect, let option = hints.detectorOption {
      throw ValidationError("\(option) is for --task detect.")
    }
    if mode == .video {
      if pixels.maxPixels != nil { throw ValidationError("--max-pixels is for photos, not --mode video.") }
      if task != .detect { throw ValidationError("--mode video is for --task detect.") }
      if paths.count != 1 { throw ValidationError("--mode video measures one video, got \(paths.count).") }
      if repetitions != nil { throw ValidationError("--mode video reads the video once.") }
    } else if frames != 0 {
      throw ValidationError("--frames is for --mode video.")
    }
    var selection = ImageLabeler.Selection()
    selection.maxResults = maxResults
    selection.threshold = threshold
    try ModelOptions.check(selection.check)
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    let report: BenchReport
    do throws(FoveaError) {
      var plan = BenchPlan(
        task: task, mode: mode, model: model.map { FilePath($0).lastComponent } ?? "built in",
        threads: threads, workers: workers,
        repetitions: repetitions ?? (mode == .latency ? 20 : 1),
        files: mode == .video ? paths : try BenchCommand.files(paths))
      plan.frames = frames
      plan.threshold = threshold ?? (mode == .video ? 0.4 : 0)
      if mode == .video {
        report = try await VideoBench(plan: plan).run(liteRT: Version.liteRT) {
          () async throws(FoveaError) -> ObjectDetector in try await makeDetector(plan)
        }
      } else {
        report = try await BenchRunner(plan: plan).run(liteRT: Version.liteRT) {
          () async throws(FoveaError) -> any ImageAnalyzer in
          try await makeAnalyzer(plan)
        }
      }
    } catch {
      throw CommandFailure.report(error, CommandFailure.code(of: error))
    }
    try CommandFailure.print(json ? report.json + "\n" : BenchTable.text(of: report))
    if !report.isComplete { throw ExitCode(ExitCodes.failure) }
  }

  /// Returns the files of all inputs; an unusable one is an error, because skipping it would distort
  /// the figures.
  static func files(_ paths: [String]) throws(FoveaError) -> [String] {
    var files: [String] = []
    var expander = InputExpander(paths, recursive: false)
    while let item = expander.next() {
      switch item {
      case .image(let image): files.append(image.name)
      case .failure(let name, var error):
        note(expander)
        error.message = "\(name.text): \(error.message)"
        throw error
      }
    }
    note(expander)
    return files
  }

  /// Prints a note on skipped files.
  private static func note(_ expander: InputExpander) {
    guard let note = expander.search.note else { return }
    Console(descriptor: STDERR_FILENO, now: { .zero }).note(note + ".")
  }

  private func detectorOptions(_ plan: BenchPlan) -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.threshold = plan.threshold
    // The tracker also uses weak boxes, as in `fovea track`.
    if plan.mode == .video { options.threshold = min(plan.threshold, 0.1) }
    options.maxObjects = maxResults ?? (plan.mode == .video ? 10 : 5)
    options.imageLimits = pixels.limits
    hints.apply(to: &options)
    options.threads = plan.sessionThreads
    options.sessions = plan.sessions
    return options
  }

  private func makeDetector(_ plan: BenchPlan) async throws(FoveaError) -> ObjectDetector {
    try await ObjectDetector(model: ModelLookup.source(model), options: detectorOptions(plan))
  }

  private func makeAnalyzer(_ plan: BenchPlan) async throws(FoveaError) -> any ImageAnalyzer {
    switch task {
    case .detect:
      return DetectorAnalyzer(detector: try await makeDetector(plan), region: nil)
    case .label:
      let model = try ModelLookup.source(model)
      var options = ImageLabeler.Options(detectorOptions(plan))
      options.maxResults = maxResults ?? 5
      let labeler = try await ImageLabeler(model: model ?? .embedded(.classifier), options: options)
      return LabelerAnalyzer(labeler: labeler, region: nil)
    }
  }
}
