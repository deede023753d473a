// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaRender
import FoveaTracking

/// The arguments of a call of `fovea track`, resolved and checked before the first frame.
struct TrackPlan: Sendable {
  /// The objects to follow.
  enum Input: Sendable {
    /// The objects that a detector finds in the frames of a source.
    case frames(any FrameSource)
    /// The boxes of a file, on the frames of a source.
    case boxes(DetectionTable, on: any FrameSource)
    /// The boxes of a file, without frames.
    case boxesAlone(DetectionTable, name: String)
  }

  let input: Input
  private(set) var tracking: TrackingOptions
  let output: TrackOutputOptions
  /// The requested form of masks; nil for the default.
  let masks: MaskForm?
  let keypoints: KeypointOptions
  let detectorOptions: ObjectDetector.Options
  /// The detector; nil for the embedded one.
  let model: ModelSource?
  var trackerOptions: ObjectTracker.Options
  let counters: FrameCounters
  /// The plane of the ground; nil if it is unknown.
  let ground: GroundPlane?
  /// The median score from which an object starts an event.
  let eventThreshold: Float
  /// The descriptors for results without `--output` and for messages; tests replace the process's own.
  var outputDescriptor: Int32 = STDOUT_FILENO
  var errorDescriptor: Int32 = STDERR_FILENO

  init(_ command: TrackCommand) throws(FoveaError) {
    tracking = command.tracking
    output = command.output
    masks = command.masks.chosen
    keypoints = command.keypoints
    model = try ModelLookup.source(command.model.model)
    input = try TrackPlan.input(command.source, detections: command.tracking.detections, command.tracking)
    var options = command.detectorOptions
    if let classifier = try ModelLookup.source(command.detector.classifier) {
      options.classifier = .model(classifier)
    }
    options.landmarks = try ModelLookup.source(command.detector.landmarks)
    let usual = TrackPlan.usualConfiguration(command, input)
    trackerOptions = try TrackPlan.trackerOptions(command, usual)
    // The detector and the counters use the parameters of Fovea's own tracker, whichever tracker runs.
    let configuration = trackerOptions.tracker.foveaConfiguration ?? usual
    // The parameter file overrides options, including the frame rate.
    let rate = configuration.frameRate
    if rate != FoveaTracker.Configuration().frameRate { tracking.frameRate = rate }
    // The tracker also uses weak boxes: they keep half-hidden objects alive.
    options.threshold = Float(configuration.lowScore)
    TrackPlan.widen(&options, for: trackerOptions)
    detectorOptions = options
    counters = try FrameCounters(
      lines: tracking.line, zones: tracking.zone, dwells: tracking.dwell,
      memory: FrameCounters.memory(for: configuration))
    ground = try tracking.ground?.plane()
    eventThreshold = Float(usual.birthScore)
    try TrackPlan.checkFiles(command)
    if case .boxesAlone = input, let name = output.optionOfImages {
      throw .init(
        .optionInvalid, "--\(name) needs the images, and only boxes are given",
        remedy: "Name the video or the folder of frames, and the boxes with --detections")
    }
    // Refuse an unwritable name before loading a model.
    if let path = output.annotate { try VideoAnnotator.checkName(path) }
  }

  /// Runs like `run`, and stops waiting for the next frame when the user interrupts the run: a camera or a
  /// stream may stay silent for long.
  func runUntilStopped(_ stop: StopSignal) async -> Int32 {
    await withTaskGroup(of: Int32?.self) { group in
      group.addTask { await run(stop: stop) }
      group.addTask {
        while !stop.isRequested {
          guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
        }
        return nil
      }
      var code: Int32?
      while code == nil, let next = await group.next() {
        // The first to finish cancels the other: a request cancels the run, the end of the run
        // cancels the watch.
        group.cancelAll()
        code = next
      }
      return code ?? ExitCodes.failure
    }
  }

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func run(stop: StopSignal) async -> Int32 {
    let start = ContinuousClock.now
    let total = Console.Total()
    let isTerminal = Terminal.isTerminal(errorDescriptor)
    // The speed in the progress line excludes loading the model.
    var firstFrame: ContinuousClock.Instant?
    let console = Console(
      descriptor: errorDescriptor, isQuiet: output.quiet,
      showsProgress: isTerminal && !output.quiet, unit: "frames",
      sharesTerminalWithOutput: output.output == nil && Terminal.isTerminal(outputDescriptor),
      width: isTerminal ? Terminal.width(errorDescriptor) : 80, total: total,
      now: {
        let time = ContinuousClock.now
        let first = firstFrame ?? time
        firstFrame = first
        return time - first
      })
    let images: FrameImages?
    let open: () throws(OutputFile.Failure) -> OutputFile
    let events: RunEvents?
    let heatMap: HeatMapOutput?
    do throws(FoveaError) {
      heatMap = try output.heatmap.map { (path) throws(FoveaError) in
        try HeatMapOutput(path: path, labels: output.heatmapOf.names)
      }
      images = try frameImages(heatMap)
      open = try opening(output.output, option: "output")
      events = try runEvents(console)
    } catch {
      console.error(RecordSink.line(error))
      return ExitCodes.failure
    }
    let sink = FrameSink(
      console: console, total: total,
      writer: output.writer(masks: masks ?? .rle, outputDescriptor: outputDescriptor),
      isUpright: output.upright, counters: counters, ground: ground,
      printsCountsOnly: tracking.counts || tracking.countsEvery != nil,
      intervals: tracking.countsEvery.map { CountIntervals(every: $0.seconds) },
      images: images, events: events, heatMap: heatMap, gaps: tracking.interpolate ? GapFilling() : nil,
      limit: tracking.frames,
      shapes: ShapeNotes(
        output.chosenFormat, masks: masks, keypointThreshold: keypoints.keypointThreshold),
      countsText: output.chosenFormat == .jsonl ? \.jsonLine : \.text, open: open)
    let run = TrackRun(sink: sink, console: console, stop: stop, limit: tracking.frames, start: start)
    return await run.execute { () async throws(FoveaError) -> any FrameFeed in try await feed(console) }
  }

  /// Returns the images of the run; nil without an option that makes images.
  private func frameImages(_ heatMap: HeatMapOutput?) throws(FoveaError) -> FrameImages? {
    guard output.optionOfImages != nil else { return nil }
    return FrameImages(
      blur: output.blur.names.map {
        BlurredObjects(labels: $0, score: trackerOptions.tracker.birthScore)
      },
      crops: try output.crops.map { (path) throws(FoveaError) in try CropFolder(path: path) },
      heatMap: heatMap,
      annotator: try output.annotate.map { (path) throws(FoveaError) in
        try VideoAnnotator(path: path, keypointThreshold: keypoints.threshold)
      })
  }

  /// Returns the events of the run; nil without `--events` and zones with names.
  private func runEvents(_ console: Console) throws(FoveaError) -> RunEvents? {
    guard output.events != nil || counters.names.zones.contains(where: { $0 != nil }) else { return nil }
    var open: (() throws(OutputFile.Failure) -> OutputFile)?
    if let path = output.events { open = try opening(path, option: "events") }
    return RunEvents(
      writer: EventJSONWriter(source: sourceName, start: output.startTime?.milliseconds),
      threshold: Double(eventThreshold), console: console, open: open)
  }

  /// Opens a file before processing starts, unless that could wait for a reader.
  /// - Parameters:
  ///   - path: The file; nil for standard output.
  ///   - option: The name of the option for it: "output".
  /// - Returns: A function that returns the open file.
  /// - Throws: `output-in-use`, `output-unwritable`.
  private func opening(
    _ path: String?, option: String
  ) throws(FoveaError) -> () throws(OutputFile.Failure) -> OutputFile {
    let early = try path.flatMap { (path) throws(FoveaError) in
      try OutputFile.early(path: path, appending: false, whenWhole: false, option: option)
    }
    let descriptor = outputDescriptor
    return { () throws(OutputFile.Failure) in
      let file =
        if let early {
          early
        } else if let path {
          try OutputFile(path: path, appending: false, whenWhole: false, option: option)
        } else {
          OutputFile(descriptor: descriptor)
        }
      file.canBeResumed = false
      return file
    }
  }

  /// The source's name in events.
  private var sourceName: String {
    switch input {
    case .frames(let source), .boxes(_, let source): source.name
    case .boxesAlone(_, let name): name
    }
  }

  private func feed(_ console: Console) async throws(FoveaError) -> any FrameFeed {
    switch input {
    case .boxesAlone(let table, let name):
      return try DetectionFeed(
        table, name: name, frameRate: tracking.frameRate, options: trackerOptions,
        rateHint: " (--frame-rate)")
    case .boxes(let table, let source):
      var placed = table
      if let paths = try FrameSources.imagePaths(of: source) { placed = try table.placed(on: paths) }
      return try ImageFeed(placed, source: source, frameRate: tracking.frameRate, options: trackerOptions)
    case .frames(let source):
      let detector = try await ObjectDetector(model: model, options: detectorOptions)
      // A classifier's own labels are not among these names.
      if detectorOptions.classifier == .automatic {
        try output.checkLabels(among: await detector.classNames())
      }
      for sentence in try await detector.assumptions() { console.note(sentence.commandLine + ".") }
      return DetectorFeed(detector.track(source, options: trackerOptions), name: source.name)
    }
  }

  /// Whether a source is a file of boxes, judged by its name.
  static func isDetectionFile(_ source: String) -> Bool {
    FilePath(source).ending.map(boxEndings.contains) ?? false
  }

  /// The file extensions of box files; no video has them.
  private static let boxEndings: Set<String> = ["txt", "json", "jsonl", "ndjson", "csv"]

  /// Determines the input by the kind of file, then by its name.
  private static func input(
    _ source: String?, detections: String?, _ tracking: TrackingOptions
  ) throws(FoveaError) -> Input {
    let isText = source.map(isDetectionFile) ?? false
    if isText, detections != nil {
      throw .init(
        .optionInvalid, "Both the source and --detections are files of boxes",
        remedy: "Name one of them, and the video or the folder of frames if there is one")
    }
    if let source, !isText {
      guard let detections else {
        try refuseBoxes(source)
        return .frames(try FrameSources.source(source, frameRate: tracking.frameRate))
      }
      let table = try DetectionTable(path: detections)
      let rate = tracking.frameRate ?? table.frameRate
      return .boxes(table, on: try FrameSources.source(source, frameRate: rate))
    }
    guard let file = detections ?? source else {
      throw .init(
        .optionInvalid, "There is no source",
        remedy: "Name a video, a folder of frames, a camera, a stream or a det.txt")
    }
    return .boxesAlone(try DetectionTable(path: file), name: file)
  }

  /// Refuses a source that contains boxes instead of frames, which its name does not show.
  private static func refuseBoxes(_ source: String) throws(FoveaError) {
    let path = FilePath(argument: source)
    switch FileStatus(path)?.kind {
    case .folder:
      guard let form = ResultKind.formOfBoxes(inFolder: path.text) else { return }
      throw .init(
        .optionInvalid, "The folder '\(source.printable)' has boxes in the form of \(form), and no images",
        remedy: "Name it with --detections, and the images as the source if there are any")
    case .file:
      // The video reader reports unreadable files.
      guard let kind = try? ResultKind(path: path.text), kind != .other else { return }
      throw .init(
        .optionInvalid,
        "'\(source.printable)' is not a video: it starts like \(kind == .json ? "JSON" : "CSV")",
        remedy: "Name a file of boxes with --detections")
    case .other, nil: return
    }
  }

  private static func trackerOptions(
    _ command: TrackCommand, _ usual: FoveaTracker.Configuration
  ) throws(FoveaError) -> ObjectTracker.Options {
    var options = ObjectTracker.Options()
    let kind = command.tracking.tracker.kind
    options.tracker = kind == .fovea ? .fovea(usual) : Tracker(kind)
    options.detectEvery = command.tracking.every ?? 1
    options.motion = command.tracking.motion ?? .off
    options.motionMasks = command.tracking.motionMask.map { FrameCounters.points($0.shape.points) }
    if let path = command.tracking.config { try TrackerConfigurationFile.read(path, into: &options.tracker) }
    try options.check()
    return options
  }

  /// Returns the parameters of Fovea's own tracker before those of a file apply.
  private static func usualConfiguration(_ command: TrackCommand, _ input: Input)
    -> FoveaTracker.Configuration
  {
    var configuration = FoveaTracker.Configuration()
    if let threshold = command.model.threshold {
      configuration = .detector(threshold: Double(threshold))
    } else if case .frames = input {
      configuration = .detector(threshold: 0.5)
    }
    configuration.objectLimit = command.detector.single ? 1 : command.detector.maxObjects
    return configuration
  }

  /// Lifts the detector's limit on objects if the tracker has its own.
  ///
  /// The tracker keeps its objects; a detector that reports only the best few would switch between objects.
  private static func widen(_ options: inout ObjectDetector.Options, for tracker: ObjectTracker.Options) {
    guard tracker.tracker.kind == .fovea else { return }
    options.singleObject = false
    if let count = options.maxObjects, count <= 5 { options.maxObjects = nil }
  }

  /// Refuses outputs that would overwrite an input.
  private static func checkFiles(_ command: TrackCommand) throws(FoveaError) {
    let inputs = [
      command.source, command.tracking.detections, command.tracking.config, command.model.model,
      command.model.labels, command.detector.classifier, command.detector.landmarks,
    ].compactMap { $0 }
    var written: [(option: String, path: String)] = []
    if let path = command.output.output { written.append(("--output", path)) }
    if let path = command.output.annotate { written.append(("--annotate", path)) }
    if let path = command.output.events { written.append(("--events", path)) }
    for (option, path) in written { try OutputGuard.check(path, against: inputs, option: option) }
    if let path = command.output.heatmap {
      try OutputGuard.check(path, against: inputs, option: "--heatmap", isImage: true)
      written.append(("--heatmap", path))
    }
    try OutputGuard.check(distinct: written)
    guard let source = command.source else { return }
    if let crops = command.output.crops {
      try OutputGuard.check(folder: crops, outside: source, option: "--crops")
    }
    if let path = command.output.heatmap, FilePath(path).ending == "png" {
      try OutputGuard.check(folder: FilePath(path).parent, outside: source, option: "--heatmap")
    }
  }
}
