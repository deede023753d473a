// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage

/// The model of an embedding run, or a function in tests.
struct FeatureModel: Sendable {
  /// The assumptions made about the model.
  var assumptions: [Advice] = []
  /// Returns the features of a photo.
  var features: @Sendable (Photo) async throws(FoveaError) -> [Float]
}

/// One run of `embed` over any number of inputs, from arguments to exit code.
struct EmbedRun {
  var paths: [String]
  var recursive = false
  /// The part of the images to process; nil for all.
  var shard: Shard?
  var jobs: Int
  var limits = ImageLimits()
  /// The file to write; nil for standard output.
  var output: String?
  /// The format; for matches, nil is text.
  var format: FeatureFormat?
  /// The photos or features that the queries are compared to; nil writes the features.
  var like: String?
  /// The maximum number of matches of a query; nil for all.
  var top: Int?
  /// The minimum similarity of near duplicates; nil for the nearest photos.
  var duplicates: Float?
  var isQuiet = false
  /// The files that the command reads besides the photos.
  var resources: [String] = []
  var stop: StopSignal
  var outputDescriptor: Int32 = STDOUT_FILENO
  var errorDescriptor: Int32 = STDERR_FILENO

  /// Runs to completion and returns the exit code; all errors are printed by then.
  func execute(makeModel: @escaping () async throws(FoveaError) -> FeatureModel) async -> Int32 {
    let start = ContinuousClock.now
    let isBatch = InputExpander.isBatch(paths)
    let total = Console.Total()
    let console = Console(
      of: output, isQuiet: isQuiet, isBatch: isBatch || like != nil, total: total, start: start,
      outputDescriptor: outputDescriptor, errorDescriptor: errorDescriptor)
    var sinks: [FeatureSink] = []
    let end: RunEnd
    do throws(OutputFile.Failure) {
      try checkFiles()
      let model = OnceMade(makeModel)
      let consumer: any FeatureConsumer
      if let like {
        let known: [PhotoFeatures]
        (known, end) = try await features(of: like, model, console, &sinks)
        guard case .finished = end, !sinks.contains(where: \.isUnfinished) else {
          return report(end, sinks, console, isBatch: false, start)
        }
        consumer = try similar(to: known, from: like)
      } else {
        consumer = try writer()
      }
      let counting = console.showsProgress ? countInputs(into: total) : nil
      let sink = FeatureSink(console: console, into: consumer, needsImages: shard != nil)
      sinks.append(sink)
      var inputs = InputExpander(paths, recursive: recursive, shard: shard)
      let ended = await loop(model).run(&inputs, into: sink)
      counting?.cancel()
      console.endProgress()
      for sentence in model.assumptions { console.note(sentence.commandLine + ".") }
      if let note = inputs.search.note { console.note(note + ".") }
      return report(ended, sinks, console, isBatch: isBatch, start)
    } catch {
      console.endProgress()
      return report(RunEnd(error), sinks, console, isBatch: false, start)
    }
  }

  /// Makes the model for the first photo, for both parts of a run.
  private final class OnceMade {
    private let make: () async throws(FoveaError) -> FeatureModel
    private var made: FeatureModel?

    init(_ make: @escaping () async throws(FoveaError) -> FeatureModel) { self.make = make }

    var assumptions: [Advice] { made?.assumptions ?? [] }

    func model() async throws(FoveaError) -> FeatureModel {
      if let made { return made }
      let model = try await make()
      made = model
      return model
    }
  }

  private func loop(_ model: OnceMade) -> RunLoop<FeatureModel, FeatureOutcome> {
    RunLoop(
      jobs: jobs, isOrdered: true, stop: stop,
      makeAnalyzer: { () async throws(FoveaError) in try await model.model() },
      process: { [limits, stop] image, model in
        do throws(FoveaError) {
          let photo = Photo(try image.load(limit: limits.maxFileBytes, stop: stop), limits: limits)
          return FeatureOutcome(name: image.imageName, result: .success(try await model.features(photo)))
        } catch {
          return FeatureOutcome(name: image.imageName, result: .failure(error))
        }
      },
      failure: { FeatureOutcome(name: $0, result: .failure($1), isUnlisted: true) }, isDone: { _ in false })
  }

  /// Returns the features of a file, or of the photos in a folder.
  private func features(
    of source: String, _ model: OnceMade, _ console: Console, _ sinks: inout [FeatureSink]
  ) async throws(OutputFile.Failure) -> ([PhotoFeatures], RunEnd) {
    if let format = FeatureFormat(endingOf: source) {
      do throws(FoveaError) { return (try FeatureFile.read(source, format), .finished) } catch {
        throw .failed(error)
      }
    }
    let collection = FeatureCollection()
    let sink = FeatureSink(console: console, into: collection, needsImages: true)
    sinks.append(sink)
    var inputs = InputExpander([source], recursive: recursive)
    let end = await loop(model).run(&inputs, into: sink)
    // A folder without photos has an error of its own.
    if case .finished = end, collection.photos.isEmpty, !sink.isUnfinished {
      throw .failed(FeatureFile.invalid(source, "it has no photo to compare to"))
    }
    return (collection.photos, end)
  }

  private func similar(
    to known: [PhotoFeatures], from source: String
  ) throws(OutputFile.Failure) -> SimilarPhotos {
    let file = try openOutput(whole: false)
    do throws(FoveaError) {
      return try SimilarPhotos(
        known, from: source, top: top, duplicates: duplicates, format: format, to: file)
    } catch {
      throw .failed(error)
    }
  }

  private func writer() throws(OutputFile.Failure) -> FeatureWriter {
    let format = format ?? .csv
    let paths: OutputFile? =
      if format == .npy, let output {
        try OutputFile(path: FeatureWriter.pathFile(of: output), appending: false, whenWhole: true)
      } else {
        nil
      }
    paths?.canBeResumed = false
    return FeatureWriter(format, to: try openOutput(whole: format == .npy), paths: paths)
  }

  private func openOutput(whole: Bool) throws(OutputFile.Failure) -> OutputFile {
    let file =
      if let output {
        try OutputFile(path: output, appending: false, whenWhole: whole)
      } else {
        OutputFile(descriptor: outputDescriptor)
      }
    file.canBeResumed = false
    return file
  }

  /// Refuses outputs that would replace an input.
  private func checkFiles() throws(OutputFile.Failure) {
    guard let output else { return }
    let read = paths + resources + [like].compactMap(\.self)
    do throws(FoveaError) {
      try OutputGuard.check(output, against: read)
      guard format == .npy else { return }
      let list = FeatureWriter.pathFile(of: output)
      try OutputGuard.check(list, against: read)
      // A run writes both files, so a list by itself is another file of this name.
      guard FileStatus(FilePath(output)) != nil || FileStatus(FilePath(list)) == nil else {
        throw FoveaError(
          .outputOverwrites,
          "the list of the photos' paths would replace this file, which no run has written",
          remedy: "Name another file with --output", subject: list)
      }
    } catch {
      throw .failed(error)
    }
  }

  private func countInputs(into total: Console.Total) -> Task<Void, Never> {
    total.count(of: { [paths, recursive, shard] in
      InputExpander(paths, recursive: recursive, shard: shard)
    })
  }

  private func report(
    _ end: RunEnd, _ sinks: [FeatureSink], _ console: Console, isBatch: Bool,
    _ start: ContinuousClock.Instant
  ) -> Int32 {
    switch end {
    case .closedPipe: return 0
    case .fatal(let error):
      console.error(RecordSink.line(error))
      return ExitCodes.unfinished
    case .finished, .interrupted: break
    }
    let failed = sinks.reduce(0) { $0 + $1.failed }
    if isBatch {
      console.summary(
        RunSummary.line(
          images: sinks.reduce(0) { $0 + $1.images }, failed: failed, answers: nil,
          elapsed: ContinuousClock.now - start))
    }
    if case .interrupted = end { return ExitCodes.interrupted }
    if sinks.contains(where: \.isUnfinished) { return ExitCodes.unfinished }
    return failed > 0 ? ExitCodes.failure : 0
  }
}

/// The outcome for one photo.
struct FeatureOutcome: Sendable {
  var name: ImageName
  var result: Result<[Float], FoveaError>
  /// True for an argument or a folder without images.
  var isUnlisted = false
}

/// The final stage of an embedding run: counts photos, and reports failures.
final class FeatureSink: RunSink {
  private let console: Console
  private let consumer: any FeatureConsumer
  /// Whether the run cannot go on if an argument or folder has no images.
  private let needsImages: Bool
  private(set) var images = 0
  private(set) var failed = 0
  /// True if an argument or folder had no images that needs some.
  private(set) var isUnfinished = false
  var skipped = 0

  init(console: Console, into consumer: any FeatureConsumer, needsImages: Bool) {
    self.console = console
    self.consumer = consumer
    self.needsImages = needsImages
  }

  func accept(_ outcome: FeatureOutcome) throws(OutputFile.Failure) {
    switch outcome.result {
    case .success(let values):
      var refusal: FoveaError?
      var failure: OutputFile.Failure?
      console.withOutput {
        do throws(FeatureFailure) {
          try consumer.take(PhotoFeatures(name: outcome.name, values: values))
        } catch {
          switch error {
          case .photo(let reason): refusal = reason
          case .output(let reason): failure = reason
          }
        }
      }
      if let failure { throw failure }
      if let refusal { fail(outcome.name, refusal) } else { images += 1 }
    case .failure(let error):
      fail(outcome.name, error)
      if needsImages && outcome.isUnlisted { isUnfinished = true }
    }
    reportProgress()
  }

  private func fail(_ name: ImageName, _ error: FoveaError) {
    failed += 1
    console.error(RecordSink.line(name.text, error))
  }

  func reportProgress() { console.progress(done: images + failed, failed: failed, skipped: 0) }

  func finish() throws(OutputFile.Failure) {
    do throws(FeatureFailure) { try consumer.finish() } catch {
      if case .output(let reason) = error { throw reason }
    }
  }
}

/// Keeps the features of all photos.
final class FeatureCollection: FeatureConsumer {
  private(set) var photos: [PhotoFeatures] = []

  func take(_ photo: PhotoFeatures) throws(FeatureFailure) { photos.append(photo) }

  func finish() throws(FeatureFailure) {}
}
