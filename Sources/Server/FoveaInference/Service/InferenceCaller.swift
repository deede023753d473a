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

  /// The task that a call requests; nil for the model's own.
  enum Task: Sendable {
    case detect, label
  }

  /// The answer for one image.
  struct Piece: Sendable {
    var record: DetectionRecord
    /// The image with the findings drawn on it, if requested.
    var annotated: AnswerAnnotator.File?
    /// The time it waited for a slot.
    var waited = Duration.zero
  }

  /// The results of one call, in the order of its images.
  struct Answer: Sendable {
    var pieces: [Piece]
    var model: ServedModel

    var records: [DetectionRecord] { pieces.map(\.record) }

    /// Throws the refusal of the first failed image, for protocols with one error for the whole call.
    func check() throws(Refusal) {
      for (index, piece) in pieces.enumerated() {
        guard case .failure(let error) = piece.record.result else { continue }
        var refusal = error.refusal
        if pieces.count > 1 { refusal.message = "Image \(index + 1) of \(pieces.count): \(error.message)" }
        throw refusal
      }
    }
  }

  /// Runs all images of a request.
  ///
  /// With several images, the record of a failed image contains its error, and `ready` is called with the
  /// records in order, each as soon as all records up to it are done.
  /// - Throws: A refusal.
  func answer(
    _ images: [ReceivedImage], _ options: CallOptions, task: Task?, client: String, context: HTTPContext,
    ready: @escaping @Sendable (Piece) -> Void = { _ in }
  ) async throws -> Answer {
    let limit = context.limit(of: deadline)
    let model = try await context.whilePeerWaits { [registry] in
      try await registry.model(options.model, within: limit)
    }
    try InferenceCaller.check(task, model)
    if options.annotation != nil, case .labeler = model.engine {
      throw CallOptions.invalid(
        "annotate", "requires a detector; '\(model.name)' labels whole images", "Omit it")
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
      if case .failure(let error) = counted.record.result { throw error.refusal }
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
    try await pixels.counting(image, isDrawnOn: options.annotation != nil, for: client) {
      await InferenceCaller.piece(image, options.name ?? image.name, options, model, annotator)
    }
  }

  /// Returns the piece with its waiting time, after adding it to the statistics.
  private func counted(_ piece: Piece, _ waited: Duration, _ model: ServedModel) -> Piece {
    metrics.observe("fovea_queue_seconds", seconds: waited.seconds)
    if let findings = piece.record.findings {
      model.statistics.count(findings.timings, waited: waited)
      metrics.observe(findings.timings)
      StageSpans.add(waited: waited, findings.timings)
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
      var findings = try await InferenceCaller.findings(image, options, model)
      try findings.checkNumbers()
      var annotated: AnswerAnnotator.File?
      if let format = options.annotation {
        annotated = try await annotator.file(of: image, with: findings, as: format)
      }
      if options.upright { findings = findings.upright() }
      return Piece(record: DetectionRecord(image: name, result: .success(findings)), annotated: annotated)
    } catch {
      return Piece(record: DetectionRecord(image: name, result: .failure(model.texts.concealed(error))))
    }
  }

  private static func findings(
    _ image: ReceivedImage, _ options: CallOptions, _ model: ServedModel
  ) async throws(FoveaError) -> DetectionRecord.Findings {
    let input = ImageInput.data(image.bytes, name: ReceivedImage.subject)
    switch model.engine {
    case .detector(let detector):
      return DetectionRecord.Findings(
        try await detector.analyze(input, region: options.region, selecting: options.named.selection))
    case .labeler(let labeler):
      return DetectionRecord.Findings(
        try await labeler.analyze(input, region: options.region, selecting: options.named.labelSelection))
    }
  }

  /// Throws a refusal if a model's task differs from the requested one.
  static func check(_ task: Task?, _ model: ServedModel) throws(Refusal) {
    switch (task, model.engine) {
    case (.detect, .labeler):
      throw Refusal(
        .badRequest, "task-mismatch", "'\(model.name)' labels whole images and does not find objects",
        remedy: "Name a detector, or request labels; GET /v1/models lists each model's task")
    case (.label, .detector):
      throw Refusal(
        .badRequest, "task-mismatch", "'\(model.name)' finds objects and does not label whole images",
        remedy: "Name a classifier, or request objects; GET /v1/models lists each model's task")
    default: break
    }
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
