// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import Synchronization

/// One run of `detect`, `label` or `segment` over any number of inputs, from arguments to exit code.
struct PhotoRun {
  var paths: [String]
  var recursive = false
  /// The part of the images to process; nil for all.
  var shard: Shard?
  var kind: AnswerKind
  var jobs: Int
  var format: OutputFormat
  var output: PhotoOutput
  var work = PhotoPipeline()
  var cocoIndex: COCOIndex?
  /// The folder for images of class numbers; nil for none.
  var maps: String?
  /// The checksum of the model that makes the maps; nil if unknown.
  var mapSource: String?
  /// The requested form of masks; nil for the default.
  var masks: MaskForm?
  /// The requested least score of a keypoint that is drawn and visible; nil for the default.
  var keypointThreshold: Float?
  /// True if YOLO's lines end with the score.
  var writesScores = false
  /// The model as named by the user; nil for the embedded ones.
  var model: String?
  /// The files that the command reads besides the photos: models and label files.
  var resources: [String] = []
  var stop: StopSignal
  /// The descriptors for results without `--output` and for messages; tests replace the process's own.
  var outputDescriptor: Int32 = STDOUT_FILENO
  var errorDescriptor: Int32 = STDERR_FILENO

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute(makeAnalyzer: @escaping () async throws(FoveaError) -> any ImageAnalyzer) async -> Int32 {
    let start = ContinuousClock.now
    let isBatch = InputExpander.isBatch(paths)
    let total = Console.Total()
    let console = makeConsole(isBatch: isBatch, total: total, start: start)
    let targets: Targets
    do throws(FoveaError) { targets = try reserveTargets() } catch {
      console.error(RecordSink.line(error))
      return ExitCodes.unfinished
    }
    defer { withExtendedLifetime(targets.lock) {} }
    let resumed: ResumeFile?
    do throws(FoveaError) { resumed = try readEarlierRun() } catch {
      console.error(RecordSink.line(output.output ?? "", error))
      return ExitCodes.unfinished
    }
    noteOtherShard(resumed, on: console)
    let settings = settings(resumed: resumed, targets.index)
    let names = settings.names
    let sink = RecordSink(
      console: console, writer: format.writer(settings) ?? SilentWriter(), report: targets.page,
      isShard: shard != nil,
      shapes: kind == .maps
        ? nil : ShapeNotes(format, masks: masks, keypointThreshold: keypointThreshold)
    ) {
      () throws(OutputFile.Failure) in try open(resumed, targets.file)
    }
    var work = work
    work.folder =
      maps.map { MapFolder(path: $0, source: mapSource) }
      ?? output.output.flatMap { format.folder($0, settings) }
    if targets.page != nil { work.thumbnails = ThumbnailBudget(count: ReportFeed.thumbnailLimit) }
    let counting = console.showsProgress ? countInputs(into: total) : nil
    let assumptions = Mutex<[Advice]>([])
    let loop = RunLoop(
      jobs: jobs, isOrdered: !output.unordered, stop: stop,
      makeAnalyzer: { [folder = work.folder, format] () throws(FoveaError) in
        let analyzer = try await makeAnalyzer()
        let assumed = try await analyzer.assumptions()
        assumptions.withLock { $0 = assumed }
        if format == .coco || folder != nil {
          names.set(try await analyzer.classNames(), keypoints: analyzer.keypointSet)
        }
        if let folder { try folder.begin(classNames: names.classes) }
        return analyzer
      },
      work: work, isDone: isDone(resumed, work.folder))
    var inputs = expander
    let end = await loop.run(&inputs, into: sink)
    counting?.cancel()
    console.endProgress()
    for sentence in assumptions.withLock({ $0 }) { console.note(sentence.commandLine + ".") }
    if let note = inputs.search.note { console.note(note + ".") }
    if let note = inputs.renamingNote { console.note(note + ".") }
    return report(end, sink: sink, console: console, isBatch: isBatch, elapsed: ContinuousClock.now - start)
  }

  /// The files and the folder reserved before the first image.
  private struct Targets {
    var index: COCOIndex?
    var page: ReportFeed?
    var file: OutputFile?
    /// Held until the end of the run.
    var lock: FolderLock?
  }

  /// Verifies the paths of all results and reserves them.
  private func reserveTargets() throws(FoveaError) -> Targets {
    for target in [output.output.map { ("--output", $0) }, output.report.map { ("--report", $0) }] {
      guard let (option, path) = target else { continue }
      try OutputGuard.check(path, against: paths + resources, option: option)
    }
    try OutputGuard.check(distinct: writtenFiles)
    if recursive, format == .yolo, let path = output.output {
      try OutputGuard.check(links: path, among: paths)
    }
    var targets = Targets()
    targets.index = try placedIndex()
    let pageFile = if let path = output.report { try ReportFeed.reserve(path) } else { nil as ReplacedFile? }
    targets.lock = try reserveFolder()
    try work.annotation?.checkTarget()
    targets.file = try openEarly()
    targets.page = try makeReport(pageFile)
    return targets
  }

  private func makeConsole(isBatch: Bool, total: Console.Total, start: ContinuousClock.Instant) -> Console {
    Console(
      of: output.output, isQuiet: output.quiet, isVerbose: output.verbose, isBatch: isBatch, total: total,
      start: start, outputDescriptor: outputDescriptor, errorDescriptor: errorDescriptor)
  }

  /// Counts the inputs in the background, so that the first result need not wait.
  private func countInputs(into total: Console.Total) -> Task<Void, Never> {
    total.count(of: { [paths, recursive, shard, outputs] in
      InputExpander(paths, recursive: recursive, shard: shard, outputs: outputs)
    })
  }

  /// The folder with one file of results for each image; nil if there is none.
  private var resultFolder: String? { maps ?? (format.isFolder ? output.output : nil) }

  /// The folders of results.
  private var outputs: [String] {
    var folders: [String] = []
    if let path = resultFolder { folders.append(path) }
    if case .folder(let path) = work.annotation?.target { folders.append(path) }
    return folders
  }

  /// The single files of results, with the options that name them.
  private var writtenFiles: [(option: String, path: String)] {
    var files: [(option: String, path: String)] = []
    if let path = output.output, !format.isFolder { files.append(("--output", path)) }
    if let path = output.report { files.append(("--report", path)) }
    if case .file(let path) = work.annotation?.target { files.append(("--annotate", path)) }
    return files
  }

  private var expander: InputExpander { inputs(of: shard) }

  /// Returns the images of a shard; nil for all.
  private func inputs(of shard: Shard?) -> InputExpander {
    let distinct: InputExpander.Distinct =
      resultFolder != nil ? .stems : work.annotation == nil ? .nothing : .annotated
    return InputExpander(paths, recursive: recursive, shard: shard, distinct: distinct, outputs: outputs)
  }

  /// Returns an image in the file to continue that belongs to another shard; nil if there is none.
  private func imageOfAnotherShard(_ resumed: ResumeFile?) -> InputImage? {
    guard let shard, let done = resumed?.scan.done, !done.isEmpty else { return nil }
    var images = inputs(of: nil)
    while !stop.isRequested, let item = images.next() {
      if case .image(let image) = item, !shard.contains(image.relativePath),
        done.contains(.init(image.imageName))
      {
        return image
      }
    }
    return nil
  }

  /// Warns if the file to continue has images of another shard.
  private func noteOtherShard(_ resumed: ResumeFile?, on console: Console) {
    guard let path = output.output, let image = imageOfAnotherShard(resumed) else { return }
    console.note(
      "'\(path.printable)' already has images of another shard, such as '\(image.name.printable)'; "
        + "give each shard its own --output.")
  }

  /// Returns the index for `--coco-ids` with all images of the run; nil without the option.
  private func placedIndex() throws(FoveaError) -> COCOIndex? {
    guard var index = cocoIndex else { return nil }
    var images = InputExpander(paths, recursive: recursive, outputs: outputs)
    while !stop.isRequested, let item = images.next() {
      if case .image(let image) = item { index.add(image.name) }
    }
    try index.checkImages()
    return index
  }

  /// Returns the settings for the output format.
  private func settings(resumed: ResumeFile?, _ index: COCOIndex?) -> DetectionFormat.Settings {
    var settings = DetectionFormat.Settings()
    settings.kind = kind
    settings.isColored = output.output == nil && Terminal.wantsColor(outputDescriptor)
    settings.writesHeader = resumed?.scan.isFresh ?? true
    settings.cocoIndex = index
    settings.author = "fovea \(Version.fovea)"
    settings.masks = masks ?? .rle
    settings.keypointThreshold = keypointThreshold ?? KeypointVisibility.usualThreshold
    settings.writesScores = writesScores
    settings.resumes = output.resume
    return settings
  }

  private func isDone(_ resumed: ResumeFile?, _ folder: (any DetectionFolder)?) -> (InputImage) -> Bool {
    guard output.resume else { return { _ in false } }
    if let folder { return { folder.isDone($0.imageFile) } }
    let done = resumed?.scan.done ?? []
    return { done.contains(.init($0.imageName)) }
  }

  /// Locks the folder of results for this process.
  private func reserveFolder() throws(FoveaError) -> FolderLock? {
    guard let path = resultFolder else { return nil }
    return try OutputReservation.folder(path, option: "output") { ResultFile.unwritable(path, $0) }
  }

  /// Opens the file of results before reading an earlier run's results and before processing; nil if it is
  /// opened with the first record.
  private func openEarly() throws(FoveaError) -> OutputFile? {
    guard let path = output.output, !format.isFolder else { return nil }
    return try OutputFile.early(path: path, appending: output.resume, whenWhole: format.isWhole)
  }

  private func makeReport(_ file: ReplacedFile?) throws(FoveaError) -> ReportFeed? {
    guard let path = output.report else { return nil }
    return try ReportFeed(
      path: path, file: file, kind: kind, model: model,
      keypointThreshold: keypointThreshold ?? KeypointVisibility.usualThreshold)
  }

  private func readEarlierRun() throws(FoveaError) -> ResumeFile? {
    guard output.resume, !format.isFolder, let path = output.output else { return nil }
    guard let reader = format.resumeReader?(kind) else { return nil }
    return try ResumeFile(path: path, reader: reader)
  }

  private func open(_ resumed: ResumeFile?, _ file: OutputFile?) throws(OutputFile.Failure) -> OutputFile {
    guard let path = output.output, !format.isFolder else {
      return OutputFile(descriptor: outputDescriptor)
    }
    do throws(FoveaError) { try resumed?.prepare(for: file) } catch { throw .failed(error) }
    if let file { return file }
    return try OutputFile(path: path, appending: output.resume, whenWhole: format.isWhole)
  }

  private func report(
    _ end: RunEnd, sink: RecordSink, console: Console, isBatch: Bool, elapsed: Duration
  ) -> Int32 {
    if sink.skipped > 0 && !isBatch {
      console.note("skipped \(sink.skipped) already done by the earlier run")
    }
    switch end {
    case .closedPipe:
      // The reader has closed the pipe (`| head -1`), which is not a failure.
      return 0
    case .fatal(let error):
      console.error(RecordSink.line(error))
      return ExitCodes.unfinished
    case .finished, .interrupted: break
    }
    if isBatch { console.summary(summary(of: sink, elapsed: elapsed)) }
    if case .interrupted = end { return ExitCodes.interrupted }
    if sink.isUnfinished { return ExitCodes.unfinished }
    return sink.failed > 0 ? ExitCodes.failure : 0
  }

  private func summary(of sink: RecordSink, elapsed: Duration) -> String {
    let answers =
      switch kind {
      case .objects: DecimalText.counted(sink.answers, "object", "objects")
      case .labels: DecimalText.counted(sink.answers, "label", "labels")
      case .maps: DecimalText.counted(sink.answers, "class", "classes")
      }
    return RunSummary.line(
      images: sink.images, failed: sink.failed, skipped: sink.skipped, answers: answers, elapsed: elapsed)
  }
}

extension PhotoRun {
  /// Creates a run for the process's command line, which Ctrl-C interrupts.
  init(
    _ input: InputOptions, model: String?, _ output: PhotoOutput, _ format: OutputFormat,
    kind: AnswerKind, resources: [String?]
  ) {
    self.init(
      paths: input.paths, recursive: input.recursive, kind: kind, jobs: input.effectiveJobs, format: format,
      output: output, model: model, resources: resources.compactMap(\.self),
      stop: StopSignal(listensToProcess: true))
    ProcessSignals.install()
    shard = input.shard
    work.byteLimit = input.limits.maxFileBytes
    work.limits = input.limits
  }
}

/// The line at the end of a run over several photos.
enum RunSummary {
  static func line(images: Int, failed: Int, skipped: Int = 0, answers: String?, elapsed: Duration) -> String
  {
    var parts = [DecimalText.counted(images, "image", "images")]
    if let answers { parts.append(answers) }
    if failed > 0 { parts.append("\(DecimalText.grouped(failed)) failed") }
    if skipped > 0 { parts.append("\(DecimalText.grouped(skipped)) skipped (done before)") }
    if elapsed.seconds > 0 && images > 0 {
      let rate = Double(images + failed) / elapsed.seconds
      parts.append("\(DecimalText.fixed(rate, places: 1)) images/s")
    }
    return parts.joined(separator: ", ")
  }
}

/// Prints nothing: formats with one file for each image have already written it.
private struct SilentWriter: DetectionWriter {
  mutating func text(for record: DetectionRecord) -> String { "" }
}
