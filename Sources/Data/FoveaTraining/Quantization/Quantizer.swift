// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaModelFile
package import FoveaRuntime

/// Makes an int8 model of a float model and photos, if it agrees with the float model.
///
///     let quantizer = try Quantizer(.file("float.tflite"), photos: [.file("1.jpg"), .file("2.jpg")])
///     let made = try await quantizer.run()
///     try Data(made.bytes).write(to: URL(filePath: "int8.tflite"))
public struct Quantizer: Sendable {
  private let source: ModelSource
  let options: Options
  private let bytes: [UInt8]
  let name: String
  private let graph: FloatGraph
  private let plan: LayerPlan
  private let kept: Set<Int>
  private let photos: [ComparedPhoto]
  private let truth: ComparisonTruth?

  /// The most photos that choose the ranges or are compared.
  package static let mostPhotos = 100
  /// The least number of photos that are compared and choose no ranges, if there are eight or more.
  package static let leastCompared = 4

  /// Reads a model.
  /// - Parameters:
  ///   - source: The float model.
  ///   - photos: Photos like those that the model will see; at most 100 are used, at even distances. A fifth
  ///     of them is compared and shows no ranges. Photos of one colour and copies of other photos are left
  ///     out.
  ///   - options: The rules.
  /// - Throws: `metadata-already-quantized`, `metadata-not-quantizable`, also for weights that are not finite
  ///   and for a model of which int8 makes no layer faster; `calibration-empty` without photos;
  ///   `option-invalid` for rules out of range, for layers that the model does not have, and if more layers
  ///   than allowed are float in any case; the errors of models and of ground truth.
  public init(
    _ source: ModelSource, photos: [ImageInput], options: Options = Options()
  ) throws(FoveaError) {
    try self.init(source, photos: ComparedPhoto.named(photos), options: options)
  }

  /// Reads a model, with photos that are loaded one by one.
  package init(
    _ source: ModelSource, photos: [ComparedPhoto], options: Options = Options()
  ) throws(FoveaError) {
    try options.check()
    (self.source, self.options) = (source, options)
    (bytes, name) = try Self.read(source)
    do throws(MetadataError) {
      graph = try FloatGraph(bytes)
      plan = try LayerPlan(graph)
      try plan.checkConstants(of: graph)
    } catch {
      // A model that no command can use has a better reason than its graph.
      if error.code == .damagedModel { _ = try ComparedModel(source, options: options.model) }
      throw FoveaError(error.ofModel(name))
    }
    kept = try Self.layers(options.keptLayers, of: graph, plan)
    try Self.check(
      floatLayers: Self.floatCount(graph, kept), of: plan.layers.count, kept.count, options, name)
    guard !photos.isEmpty else {
      throw FoveaError(
        .calibrationEmpty, "There are no photos that show the ranges of the numbers of '\(name)'",
        remedy: "Give photos like those that the model will see")
    }
    self.photos = photos
    // Instances are one JSON file, labelled photos are folders or a CSV file.
    truth = try options.groundTruth.map { path throws(FoveaError) in
      try ComparisonTruth(path: path, for: path.hasSuffix(".json") ? .detection : .labeling)
    }
  }

  private static func distinct(_ photos: [ComparedPhoto]) -> [ComparedPhoto] {
    var names: Set<String> = []
    return photos.filter { names.insert($0.name).inserted }
  }

  static func read(_ source: ModelSource) throws(FoveaError) -> ([UInt8], String) {
    do {
      if let file = try source.fileBytes() { return (file.copied(), file.name) }
    } catch {
      throw FoveaError(error)
    }
    throw .optionInvalid("An embedded model cannot be quantised: it is int8", remedy: "Give a model file")
  }

  private static func layers(
    _ names: [String], of graph: FloatGraph, _ plan: LayerPlan
  ) throws(FoveaError) -> Set<Int> {
    let known = Set(plan.layers.map(graph.layerName))
    var found: Set<Int> = []
    for name in CommaList.names(names, among: known) {
      let layers = plan.layers.filter { graph.layerName($0) == name }
      guard !layers.isEmpty else {
        let known = plan.layers.prefix(3).map { "'\(graph.layerName($0).printable)'" }
        throw .optionInvalid(
          "The model has no layer with the output '\(name.printable)'; it has \(plan.layers.count), such as "
            + known.joined(separator: ", "),
          remedy: "Use a name that \(command: "model inspect --layers") prints")
      }
      found.formUnion(layers)
    }
    return found
  }

  /// Quantises the model.
  /// - Parameter progress: Called with the part of the work that is done, 0…1, on another thread.
  /// - Returns: The model with its figures.
  /// - Throws: `agreement-too-low` with the layers to blame; `calibration-empty` if no photo can be read,
  ///   all have one colour, all are copies of one, or none shows anything; `metadata-not-quantizable` for
  ///   numbers that are not finite; `option-invalid` for ground truth of another task; the errors of models;
  ///   `cancelled`.
  public func run(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(FoveaError) -> QuantizedModel {
    try await run(outputName: name) { (step: Step) in progress(step.part) }
  }

  /// Quantises the model.
  /// - Parameters:
  ///   - outputName: The name of the int8 model in messages.
  ///   - progress: Called with each step.
  /// - Returns: The model with its figures.
  /// - Throws: The errors of `run(progress:)`.
  package func run(
    outputName: String, progress: @escaping @Sendable (Step) -> Void = { _ in }
  ) async throws(FoveaError) -> QuantizedModel {
    try await CancellationToken.cancelling { token throws(FoveaError) in
      try run(outputName: outputName, cancelledBy: token, progress: progress)
    }
  }

  /// Quantises the model on the caller's thread.
  package func run(
    outputName: String, cancelledBy token: CancellationToken, progress: (Step) -> Void
  ) throws(FoveaError) -> QuantizedModel {
    // First of all, as the facts that its results need may be missing.
    let first = try ComparedModel(source, options: options.model)
    try truth?.check(first, photos.map(\.name))
    func report(_ step: Step) throws(FoveaError) {
      if token.isCancelled { throw .cancelled }
      progress(step)
    }
    let worker = try worker()
    let choice = try choice(worker, report)
    let compared = choice.compared
    let judged = truth == nil ? compared : Self.distinct(compared + choice.unread)
    try truth?.check(first, judged.map(\.name))
    let measured = try measure(worker, choice.calibration, report)
    let answers = try Self.answers(first, compared, first.threshold, token) { photo throws(FoveaError) in
      try checkActivations(CalibrationPhotos(worker, [photo]))
    }
    let open = plan.layers.indices.filter { plan.isInt8[plan.layers[$0]] }
    var search = FloatLayerSearch(
      open.map { plan.layers[$0] }, noise: open.map { measured.noise[$0] },
      last: plan.lastLayers(of: graph).filter { plan.isInt8[$0] }, kept: kept,
      limit: min(options.mostFloatLayers, mostFloatLayers)
    ) { [graph] in Self.floatCount(graph, $0) }
    var agreement = 0.0
    var tried: Form?
    var impossible: FoveaError?
    while let float = search.next(after: agreement) {
      progress(.comparison(floatLayers: float.count))
      (agreement, impossible) = (0, nil)
      let form: Form
      do throws(FoveaError) { form = try self.form(float, measured) } catch {
        // With further layers in float, the rest may have scales that can be computed with.
        guard error.code == FoveaCode(MetadataCode.notQuantizable) else { throw error }
        impossible = error
        continue
      }
      tried = form
      let file = ModelBytes(form.bytes, name: outputName)
      let second = try ComparedModel(.memory(file), options: options.model)
      let theirs: [ModelAnswer]
      do throws(FoveaError) {
        theirs = try Self.answers(second, compared, first.threshold, token)
      } catch {
        // Numbers that are not finite agree with nothing; with further layers in float they may be.
        guard Self.invalidOutputs.contains(error.code) else { throw error }
        continue
      }
      for (ours, theirs) in zip(answers, theirs) { try ModelComparison.check(ours, theirs) }
      let found = Agreement(of: answers, and: theirs, first.task).value
      guard let value = found ?? (options.leastAgreement > 0 ? nil : 1) else {
        throw nothingFound(compared.count)
      }
      agreement = value
      guard value >= options.leastAgreement else { continue }
      var comparison = try ModelComparison(first, second, truth: truth)
      comparison.timer = options.timer
      let figures = try comparison.run(judged, cancelledBy: token)
      return QuantizedModel(
        bytes: form.bytes, layers: layers(measured.noise, form), tailCount: plan.isTail.count { $0 },
        islands: islands, photoCounts: (choice.calibration.count, compared.count),
        comparesCalibration: choice.comparesCalibration,
        leftOutCounts: (choice.plainCount, choice.copyCount),
        agreement: found, comparison: figures, failed: choice.failed, assumptions: first.assumptions)
    }
    if let impossible { throw impossible }
    throw refusal(agreement, tried.map { layers(measured.noise, $0) } ?? [], first.task)
  }

  /// The codes of outputs that are not finite, or otherwise no answer.
  private static let invalidOutputs: [FoveaCode] = [
    FoveaCode(DetectionCode.invalidOutput), FoveaCode(LabelingCode.invalidOutput),
  ]

  /// Returns a model's answers for photos; `explain` may throw a better reason for a photo without valid
  /// outputs.
  private static func answers(
    _ model: ComparedModel, _ photos: [ComparedPhoto], _ threshold: Float?, _ token: CancellationToken,
    explain: (ComparedPhoto) throws(FoveaError) -> Void = { _ in }
  ) throws(FoveaError) -> [ModelAnswer] {
    var answers: [ModelAnswer] = []
    for photo in photos {
      if token.isCancelled { throw .cancelled }
      do throws(FoveaError) {
        answers.append(try model.answer(to: photo.load(), threshold: threshold, cancelledBy: token))
      } catch {
        if invalidOutputs.contains(error.code) { try explain(photo) }
        throw error
      }
    }
    return answers
  }

  /// The most layers that can be float besides those that are kept float: one is int8.
  var mostFloatLayers: Int { plan.layers.count - 1 - kept.count }

  /// Returns the number of layers that are float if some are kept float.
  private static func floatCount(_ graph: FloatGraph, _ float: Set<Int>) -> Int {
    // The same graph has been planned already.
    (try? LayerPlan(graph, float: float))?.floatLayerCount ?? .max
  }

  // MARK: Measuring

  /// The results of the photos.
  private struct Measured: Sendable {
    let histograms: [Int: RangeHistogram]
    let input: TensorScales.Input
    let noise: [Double]
    let photoCount: Int
  }

  private func worker() throws(FoveaError) -> ImageTensorWorker {
    var model = options.model
    model.exactArithmetic = true
    return try ImageTensorWorker(source, model)
  }

  private var recorder: ActivationRecorder {
    let options = SessionOptions(threads: options.model.threads ?? 1)
    return ActivationRecorder(
      graph: graph, plan: plan, sessions: GraphSessions(name: name, options: options))
  }

  /// Reads and divides the photos.
  private func choice(
    _ worker: ImageTensorWorker, _ progress: (Step) throws(FoveaError) -> Void
  ) throws(FoveaError) -> PhotoChoice {
    let choice = try PhotoChoice(of: photos) { photo throws(FoveaError) in
      // Throws after a request to stop.
      try progress(.ranges(0, of: 1))
      return ColorGrid(try worker.colors(of: photo.load(), side: ColorGrid.side))
    }
    if let error = refusal(of: choice) { throw error }
    try progress(.photos(choice.calibration.count))
    return choice
  }

  /// Throws the error of the first activation that is not finite on photos; other errors are not those of
  /// the activations.
  private func checkActivations(_ photos: CalibrationPhotos) throws(FoveaError) {
    do throws(FoveaError) { try recorder.check(photos) } catch {
      if error.code == FoveaCode(MetadataCode.notQuantizable) { throw error }
    }
  }

  private func measure(
    _ worker: ImageTensorWorker, _ photos: [ComparedPhoto], _ progress: (Step) throws(FoveaError) -> Void
  ) throws(FoveaError) -> Measured {
    let calibrating = CalibrationPhotos(worker, photos)
    let recorder = recorder
    let histograms = try recorder.histograms(of: TensorScales.recorded(graph, plan), calibrating) {
      (done, all) throws(FoveaError) in try progress(.ranges(done, of: all))
    }
    let input = InputScale.of(worker.normalization, readsValues: worker.readsValues)
    let ranges = ActivationRanges(histograms, input: input)
    let noise = try LayerNoise(graph: graph, plan: plan, sessions: recorder.sessions, ranges: ranges)
      .all(calibrating) { done throws(FoveaError) in try progress(.noise(done, of: plan.layers.count)) }
    return Measured(histograms: histograms, input: input, noise: noise, photoCount: photos.count)
  }

  // MARK: Results

  /// A model in which some layers stay float.
  private struct Form {
    let bytes: [UInt8]
    let plan: LayerPlan
    /// The layers that the search or the caller chose.
    let float: Set<Int>
  }

  private func form(_ float: Set<Int>, _ measured: Measured) throws(FoveaError) -> Form {
    do throws(MetadataError) {
      let plan = try LayerPlan(graph, float: float)
      let scales = ActivationRanges(measured.histograms, input: measured.input).scales(graph, plan)
      // LiteRT ends the process, without an error, at scales that are too large.
      try scales.check(graph, plan)
      let names = plan.layers.filter { !plan.isInt8[$0] }.map(graph.layerName).joined(separator: ", ")
      let own =
        "Quantised by Fovea \(FoveaVersion.current) with "
        + DecimalText.counted(measured.photoCount, "photo", "photos")
        + (names.isEmpty ? "" : "; layers in float: \(names)")
      let text = [graph.description, own].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ". ")
      let model = QuantizedGraphWriter.model(graph, plan, scales, description: text)
      try ModelGraphCheck.check(model.span)
      return Form(bytes: try ModelArchive.copy(to: model, from: bytes), plan: plan, float: float)
    } catch {
      throw FoveaError(error.ofModel(name))
    }
  }

  private var islands: [QuantizedModel.Island] {
    plan.islands(of: graph).map { island in
      QuantizedModel.Island(
        name: island.name, count: island.count, reason: island.reason.rawValue,
        reasonText: island.reason.text)
    }
  }

  private func layers(_ noise: [Double], _ form: Form) -> [QuantizedModel.Layer] {
    let sum = noise.reduce(0, +)
    let order = noise.indices.sorted { noise[$0] != noise[$1] ? noise[$0] > noise[$1] : $0 < $1 }
    return order.map { index in
      let layer = plan.layers[index]
      return QuantizedModel.Layer(
        name: graph.layerName(layer), share: sum > 0 ? noise[index] / sum : 0,
        isFloat: !form.plan.isInt8[layer], isChosen: form.float.contains(layer))
    }
  }
}

extension MetadataError {
  /// Returns the same error with the model's name in front.
  package func ofModel(_ name: String) -> MetadataError {
    [.notQuantizable, .alreadyQuantized].contains(code)
      ? MetadataError(code, "'\(name)' \(message)", remedy: remedy) : prefixed("'\(name)'")
  }
}
