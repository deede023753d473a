// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `fovea bench`: how long everything takes, on the user's own model and photos.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure a model: fovea bench --model coco_ssd.tflite street.jpg",
    usage: "fovea bench <path>… [options]",
    discussion: "Time of each photo (latency) or photos per second (throughput).")

  @Argument(help: ArgumentHelp("Photos and folders.", valueName: "path"))
  var paths: [String]

  @Option(help: "What the model does.")
  var task = BenchPlan.Task.detect

  @Option(help: "What to measure.")
  var mode = BenchPlan.Mode.latency

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A .tflite file, folder or name (default: built in).", valueName: "file"))
  var model: String?

  @Option(help: ArgumentHelp("Timed runs of each photo, or passes over all.", valueName: "n"))
  var repetitions: Int?

  @Option(help: ArgumentHelp("latency: threads; 0 is the library's choice.", valueName: "n"))
  var threads = 0

  @Option(help: ArgumentHelp("throughput: sessions; 0 is one for each core.", valueName: "n"))
  var workers = 0

  @Option(help: ArgumentHelp("The most objects or labels.", valueName: "n"))
  var maxResults = 5

  @Option(help: ArgumentHelp("The lowest score, 0 to 1.", valueName: "s"))
  var threshold: Float = 0

  @Flag(help: "Print one line of JSON, schema bench/1.")
  var json = false

  func validate() throws {
    if paths.contains("-") { throw ValidationError("bench reads files, not standard input.") }
    for (name, value) in [("repetitions", repetitions ?? 0), ("threads", threads), ("workers", workers)] {
      guard (0...1_000_000).contains(value) else {
        throw ValidationError("--\(name) must be between 0 and 1000000, got \(value).")
      }
    }
    guard max(threads, workers) <= 256 else {
      throw ValidationError("--threads and --workers must be at most 256.")
    }
    if mode == .throughput && threads != 0 {
      throw ValidationError("--threads is for --mode latency; sessions of --workers have a thread each.")
    }
    if mode == .latency && workers != 0 {
      throw ValidationError("--workers is for --mode throughput; latency has one session of --threads.")
    }
    try ModelOptions.checkCount(maxResults, name: "max-results")
    try ModelOptions.checkScore(threshold, name: "threshold")
  }

  func run() async throws {
    ProcessSignals.ignorePipes()
    let report: BenchReport
    do throws(FoveaError) {
      let plan = BenchPlan(
        task: task, mode: mode, model: model.map { FilePath($0).lastComponent } ?? "built in",
        threads: threads, workers: workers,
        repetitions: repetitions ?? (mode == .latency ? 20 : 1), files: try BenchCommand.files(paths))
      report = try await BenchRunner(plan: plan).run(liteRT: Version.liteRT) {
        () async throws(FoveaError) -> any BenchSession in
        try await makeSession(plan)
      }
    } catch {
      throw CommandFailure.report(error)
    }
    try CommandFailure.print(json ? report.json + "\n" : BenchTable.text(of: report))
    if !report.isComplete { throw ExitCode(PhotoRun.ExitCodes.failure) }
  }

  /// The files of all inputs; the first that cannot be used ends the benchmark, its figures would be wrong.
  static func files(_ paths: [String]) throws(FoveaError) -> [String] {
    var files: [String] = []
    var expander = InputExpander(paths, recursive: false)
    while let item = expander.next() {
      switch item {
      case .picture(let picture): files.append(picture.name)
      case .failure(let name, var error):
        error.message = "\(name): \(error.message)"
        throw error
      }
    }
    return files
  }

  private func makeSession(_ plan: BenchPlan) async throws(FoveaError) -> any BenchSession {
    let analyzer: any ImageAnalyzer
    let model = try ModelLookup.path(model)
    switch task {
    case .detect:
      var options = ObjectDetector.Options()
      options.threshold = threshold
      options.maxObjects = maxResults
      options.threads = plan.sessionThreads
      options.sessions = plan.sessions
      let detector =
        if let model {
          try await ObjectDetector(model: .file(model), options: options)
        } else {
          try await ObjectDetector(options: options)
        }
      analyzer = DetectorAnalyzer(detector: detector, region: nil)
    case .label:
      var options = ImageLabeler.Options()
      options.threshold = threshold
      options.maxResults = maxResults
      options.threads = plan.sessionThreads
      options.sessions = plan.sessions
      let labeler =
        if let model {
          try await ImageLabeler(model: .file(model), options: options)
        } else {
          try await ImageLabeler(options: options)
        }
      analyzer = LabelerAnalyzer(labeler: labeler, region: nil)
    }
    return LibraryBenchSession(analyzer: analyzer)
  }
}
