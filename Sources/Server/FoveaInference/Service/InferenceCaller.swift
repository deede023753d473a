// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaImage
import FoveaCore
import HTTPTypes

/// Runs the images of requests on the models, in the scheduler's slots; used by every protocol.
struct InferenceCaller: Sendable {
  let registry: ModelRegistry
  let scheduler: Scheduler
  private(set) var deadline: Duration
  let annotator: AnswerAnnotator
  let pixels: PixelBudget
  let metrics: Metrics

  /// Returns a caller with a call's limit in microseconds, if it is lower than the server's.
  func limited(to microseconds: Int?) -> InferenceCaller {
    guard let microseconds, microseconds > 0 else { return self }
    return within(.microseconds(microseconds))
  }

  /// Returns a caller with another limit, if it is lower.
  func within(_ limit: Duration) -> InferenceCaller {
    var caller = self
    caller.deadline = min(deadline, limit)
    return caller
  }

  /// Runs other work of a call in a slot.
  /// - Throws: A refusal; the errors of `body`.
  func run<R: Sendable>(
    for client: String, context: HTTPContext, _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    let limit = context.limit(of: deadline)
    return try await context.whilePeerWaits { [self] in
      let (value, waited) = try await scheduler.run(for: client, within: limit, body)
      metrics.observe("fovea_queue_seconds", seconds: waited.seconds)
      return value
    }
  }

  /// The results of one call, in the order of its images.
  struct Answer: Sendable {
    var pieces: [Piece]
    var model: ServedModel

    /// The records of the images; empty for features, which only the native routes answer with.
    var records: [DetectionRecord] { pieces.compactMap(\.record) }

    /// Throws the refusal of the first failed image, for protocols with one error for the whole call.
    func check() throws(Refusal) {
      for (index, piece) in pieces.enumerated() {
        guard case .failure(let error) = piece.result else { continue }
        var refusal = error.refusal
        if pieces.count > 1 { refusal.message = "Image \(index + 1) of \(pieces.count): \(error.message)" }
        throw refusal
      }
    }
  }

  /// Runs all images of a request.
  ///
  /// With several images, the record of a failed image contains its error, and `ready` is called with the
  /// records in order, each as soon as all records up to it are done. Without a task, the model's own is
  /// used, if the protocols of other servers have such results.
  ///
  /// `wanted` returns the labels by which the protocol itself filters the results, given those of the model.
  /// - Throws: A refusal, also of a wanted label that the model does not have.
  func answer(
    _ images: [ReceivedImage], _ options: CallOptions, task: ServedTask?, client: String,
    context: HTTPContext, ready: @escaping @Sendable (Piece) -> Void = { _ in },
    wanted: (Set<String>) -> [String] = { _ in [] }
  ) async throws -> Answer {
    let limit = context.limit(of: deadline)
    let model = try await context.whilePeerWaits { [registry] in
      try await registry.model(options.model, within: limit)
    }
    try InferenceCaller.check(task, model)
    if let refusal = model.refusal(of: wanted(Set(model.labels))) { throw refusal }
    if options.isDrawn, ![.detect, .segment].contains(model.task) {
      throw CallOptions.invalid(
        "annotate", "requires a detector or a segmentation model; '\(model.name)' \(model.task.work)",
        "Omit it")
    }
    var caller = self
    caller.deadline = limit
    return try await context.whilePeerWaits { [caller] in
      try await caller.answer(images, options, model, client: client, ready)
    }
  }

  private func answer(
    _ images: [ReceivedImage], _ options: CallOptions, _ model: ServedModel, client: String,
    _ ready: (Piece) -> Void
  ) async throws -> Answer {
    guard images.count > 1 else {
      let (piece, waited) = try await scheduler.run(for: client, within: deadline) {
        try await analyzed(images[0], options, model, client)
      }
      let counted = counted(piece, waited, model)
      if case .failure(let error) = counted.result { throw error.refusal }
      return Answer(pieces: [counted], model: model)
    }
    var pieces: [Piece] = []
    try await scheduler.run(parts: images.count, for: client, within: deadline) { index -> Piece in
      try await analyzed(images[index], options, model, client)
    } ready: { piece, waited in
      let piece = counted(piece, waited, model)
      pieces.append(piece)
      ready(piece)
    }
    return Answer(pieces: pieces, model: model)
  }

  /// Draws findings on an image, as another step of a call: in a slot, while its pixels are counted.
  /// - Throws: A refusal; the errors of a damaged image and of drawing.
  func drawn(
    _ image: ReceivedImage, with findings: DetectionRecord.Findings, as format: ImageFormat,
    _ context: HTTPContext
  ) async throws -> AnswerAnnotator.File {
    try await run(for: context.client, context: context) {
      [pixels, annotator, client = context.client] in
      try await pixels.counting(image, isDrawnOn: true, for: client) {
        try await annotator.file(of: image, with: findings, as: format)
      }
    }
  }

  /// Returns the answer for one image, in a slot.
  private func analyzed(
    _ image: ReceivedImage, _ options: CallOptions, _ model: ServedModel, _ client: String
  ) async throws -> Piece {
    try await pixels.counting(image, isDrawnOn: options.isDrawn, for: client) {
      await InferenceCaller.piece(image, options.name ?? image.name, options, model, annotator)
    }
  }

  /// Returns the piece with its waiting time, after adding it to the statistics.
  private func counted(_ piece: Piece, _ waited: Duration, _ model: ServedModel) -> Piece {
    metrics.observe("fovea_queue_seconds", seconds: waited.seconds)
    if let timings = piece.timings {
      model.statistics.count(timings, waited: waited)
      metrics.observe(timings)
      StageSpans.add(waited: waited, timings)
    } else {
      model.statistics.countFailure(waited: waited)
    }
    var piece = piece
    piece.waited = waited
    return piece
  }

  /// Returns the answer for one image, including its errors.
  private static func piece(
    _ image: ReceivedImage, _ name: String, _ options: CallOptions, _ model: ServedModel,
    _ annotator: AnswerAnnotator
  ) async -> Piece {
    do throws(FoveaError) {
      let found = try await InferenceCaller.results(image, options, model)
      guard case .findings(var findings) = found else { return Piece(image: name, result: .success(found)) }
      try findings.checkNumbers()
      var annotated: AnswerAnnotator.File?
      if let format = options.annotation {
        annotated = try await annotator.file(of: image, with: findings, as: format)
      }
      if options.upright ?? (options.body == .classNumbers) { findings = findings.upright() }
      if options.body == .classNumbers { annotated = try await annotator.classNumbers(of: findings) }
      let piece = Piece(image: name, result: .success(.findings(findings)), annotated: annotated)
      guard options.body == .text else { return piece }
      return await piece.written(masks: options.masks)
    } catch {
      return Piece(image: name, result: .failure(model.texts.concealed(error)))
    }
  }

  private static func results(
    _ image: ReceivedImage, _ options: CallOptions, _ model: ServedModel
  ) async throws(FoveaError) -> Results {
    let input = ImageInput.data(image.bytes, name: ReceivedImage.subject)
    switch model.engine {
    case .detector(let detector):
      return .findings(
        .init(try await detector.analyze(input, region: options.region, selecting: options.named.selection)))
    case .labeler(let labeler):
      let selection = options.named.labelSelection
      return .findings(
        .init(try await labeler.analyze(input, region: options.region, selecting: selection)))
    case .segmenter(let segmenter):
      return .findings(.init(try await segmenter.analyze(input, region: options.region)))
    case .embedder(let embedder):
      return .features(try await embedder.analyze(input, region: options.region))
    }
  }

  /// Throws a refusal if a model's task differs from the requested one; without one, if the protocols of
  /// other servers have no results of its task.
  static func check(_ task: ServedTask?, _ model: ServedModel) throws(Refusal) {
    guard let task else {
      guard !model.task.isForClients else { return }
      throw Refusal(
        .badRequest, "task-mismatch",
        "'\(model.name)' \(model.task.work), and this protocol has no results of that kind",
        remedy: "Name a detector or a classifier, or send the image to /v1/\(model.task.rawValue)")
    }
    guard model.task == task else { throw task.refusal(by: model) }
  }
}

extension Metrics {
  /// Records the times of an image's stages.
  func observe(_ timings: StageTimings) {
    observe("fovea_stage_seconds", ["stage", "decode"], seconds: timings.decode.seconds)
    observe("fovea_stage_seconds", ["stage", "prepare"], seconds: timings.prepare.seconds)
    observe("fovea_stage_seconds", ["stage", "run"], seconds: (timings.detect + timings.classify).seconds)
  }
}
#endif
