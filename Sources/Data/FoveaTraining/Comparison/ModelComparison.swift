// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaImage
package import FoveaRuntime

/// Compares two models of one task on the same photos: their agreement, their accuracy if there is ground
/// truth, the processor time of their runs, and their sizes.
///
///     let comparison = try await ModelComparison(.file("old.tflite"), .file("new.tflite"))
///     let compared = try await comparison.run([.file("1.jpg"), .file("2.jpg")])
///     print(compared.agreement ?? .nan)
public struct ModelComparison: Sendable {
  /// The first model, the measure of the second.
  package let first: ComparedModel
  /// The second model.
  package let second: ComparedModel
  /// The lowest score of an object, for both models; nil for other tasks than detection.
  package let threshold: Float?
  /// The correct results of some of the photos; nil for none.
  package let truth: ComparisonTruth?
  /// The measurement of the runs.
  package var timer = TurnTimer()
  private let pairing: ClassPairing

  /// Loads and pairs two models.
  /// - Parameters:
  ///   - first: The first model, the measure of the second.
  ///   - second: The second model, of the same task and with the same classes.
  ///   - groundTruth: The path of the correct results of some of the photos: COCO's instances for detectors,
  ///     a folder with a folder for each class or a CSV file for classifiers; nil, the default, for none.
  ///   - options: Facts that the models do not declare, the threshold of objects, the threads, and the limits
  ///     of images; they apply to both models.
  /// - Throws: The errors of models; `tasks-differ`, `labels-differ`; `option-invalid` for ground truth of
  ///   another task, and its own errors.
  public init(
    _ first: ModelSource, _ second: ModelSource, groundTruth: String? = nil,
    options: ObjectDetector.Options = ObjectDetector.Options()
  ) async throws(FoveaError) {
    self = try await BlockingWork.run { _ throws(FoveaError) in
      try ModelComparison(first, second, groundTruth: groundTruth, options: options)
    }
  }

  /// Loads and pairs two models on the caller's thread.
  package init(
    _ first: ModelSource, _ second: ModelSource, groundTruth: String?, options: ObjectDetector.Options
  ) throws(FoveaError) {
    let first = try ComparedModel(first, options: options)
    let second = try ComparedModel(second, options: options)
    try self.init(
      first, second,
      truth: try groundTruth.map { path throws(FoveaError) in
        try ComparisonTruth(path: path, for: first.task)
      })
  }

  /// Pairs two models.
  /// - Parameters:
  ///   - first: The first model, the measure of the second.
  ///   - second: The second model.
  ///   - truth: The correct results of some of the photos; nil for none.
  /// - Throws: `tasks-differ`, `labels-differ`; `option-invalid` for ground truth of another task.
  package init(
    _ first: ComparedModel, _ second: ComparedModel, truth: ComparisonTruth? = nil
  ) throws(FoveaError) {
    guard first.task == second.task else { throw .tasksDiffer(first, second) }
    try truth?.check(first.task)
    pairing = try Self.pairing(first, second)
    (self.first, self.second, self.truth) = (first, second, truth)
    threshold = first.threshold
  }

  /// Compares the models on photos, one photo after the other.
  /// - Parameters:
  ///   - photos: The photos, in order; an image that is not a file has the name "image" and its index.
  ///   - progress: Called with the number of finished photos.
  /// - Returns: The figures, without photos that could not be read.
  /// - Throws: The errors of models that no single photo causes; `cancelled`.
  public func run(
    _ photos: [ImageInput], progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(FoveaError) -> ComparedModels {
    try await run(ComparedPhoto.named(photos), progress: progress)
  }

  /// Compares the models on photos that are loaded one by one.
  package func run(
    _ photos: [ComparedPhoto], progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(FoveaError) -> ComparedModels {
    try await CancellationToken.cancelling { token throws(FoveaError) in
      try run(photos, cancelledBy: token, progress: progress)
    }
  }

  /// Compares the models on the caller's thread.
  package func run(
    _ photos: [ComparedPhoto], cancelledBy token: CancellationToken, progress: (Int) -> Void = { _ in }
  ) throws(FoveaError) -> ComparedModels {
    for model in [first, second] { try truth?.check(model, photos.map(\.name)) }
    var agreement = Agreement(first.task)
    var truthAnswers = TruthAnswers(truth)
    var failed: [ComparedModels.Failed] = []
    var read: ImageInput?
    for (index, photo) in photos.enumerated() {
      if token.isCancelled { throw .cancelled }
      switch try answers(to: photo, &truthAnswers, token) {
      case .success(let (input, ours, theirs)):
        agreement.add(ours, theirs, pairing)
        read = read ?? input
      case .failure(let error): failed.append(ComparedModels.Failed(name: photo.name, error: error))
      }
      progress(index + 1)
    }
    return ComparedModels(
      task: first.task, threshold: threshold, answers: agreement,
      accuracy: try truthAnswers.accuracy(first, second),
      times: try read.map { photo throws(FoveaError) in try times(on: photo, cancelledBy: token) },
      byteCounts: (first.byteCount, second.byteCount), photoCount: photos.count - failed.count,
      failed: failed, unlisted: truth?.unlistedClasses(of: first) ?? ComparedModels.UnlistedClasses())
  }

  /// Measures the runs of both models on a photo, each with one thread.
  private func times(
    on photo: ImageInput, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> TurnTimer.Times {
    var options = (first.options, second.options)
    (options.0.threads, options.1.threads) = (1, 1)
    let ours = try ImageTensorWorker(first.source, options.0)
    let theirs = try ImageTensorWorker(second.source, options.1)
    try ours.fill(photo)
    try theirs.fill(photo)
    return try timer.times(
      { () throws(FoveaError) in try ours.run(cancelledBy: token) },
      { () throws(FoveaError) in try theirs.run(cancelledBy: token) })
  }

  /// Returns the answers of both models for a photo, or the error of one that cannot be read; adds the
  /// answers that are compared with ground truth.
  private func answers(
    to photo: ComparedPhoto, _ truthAnswers: inout TruthAnswers, _ token: CancellationToken
  ) throws(FoveaError) -> Result<(ImageInput, ModelAnswer, ModelAnswer), FoveaError> {
    let input: ImageInput
    do throws(FoveaError) { input = try photo.load() } catch { return .failure(error) }
    do throws(FoveaError) {
      let ours = try first.answer(to: input, threshold: threshold, cancelledBy: token)
      let theirs = try second.answer(to: input, threshold: threshold, cancelledBy: token)
      try Self.check(ours, theirs)
      try truthAnswers.add(photo.name, input, (first, ours), (second, theirs), cancelledBy: token)
      return .success((input, ours, theirs))
    } catch {
      // An error of one photo does not affect the others.
      guard error.code.rawValue.hasPrefix(ImageCode.domain) else { throw error }
      return .failure(error)
    }
  }

  /// - Throws: `tasks-differ` if outputs cannot be compared number by number.
  static func check(_ ours: ModelAnswer, _ theirs: ModelAnswer) throws(FoveaError) {
    guard case .numbers(let ours) = ours, case .numbers(let theirs) = theirs else { return }
    guard ours.map(\.count) != theirs.map(\.count) else { return }
    func list(_ outputs: [[Float]]) -> String { outputs.map { "\($0.count)" }.joined(separator: ", ") }
    throw FoveaError(
      .tasksDiffer,
      "The outputs of the models have different sizes: \(list(ours)) and \(list(theirs)) numbers",
      remedy: "Compare two exports of the same model")
  }

  /// Returns the pairing of the classes of two models.
  private static func pairing(
    _ first: ComparedModel, _ second: ComparedModel
  ) throws(FoveaError) -> ClassPairing {
    guard first.hasClasses == second.hasClasses else {
      throw .labelsDiffer(
        "Only '\((first.hasClasses ? first : second).name.printable)' has classes; "
          + "'\((first.hasClasses ? second : first).name.printable)' has none")
    }
    let isNamed = !first.classNames.isEmpty && !second.classNames.isEmpty
    if !isNamed, let ours = first.classCount, let theirs = second.classCount, ours != theirs {
      throw .labelsDiffer(
        "'\(first.name.printable)' has \(DecimalText.counted(ours, "class", "classes")), and "
          + "'\(second.name.printable)' has \(DecimalText.grouped(theirs))")
    }
    return try ClassPairing(first.classNames, second.classNames)
  }
}

/// A photo on which models are compared.
package struct ComparedPhoto: Sendable {
  /// The path in results and messages.
  package let name: String
  /// Returns the photo's input, or throws why it cannot be read.
  package let load: @Sendable () throws(FoveaError) -> ImageInput

  /// Creates a photo.
  package init(name: String, load: @escaping @Sendable () throws(FoveaError) -> ImageInput) {
    self.name = name
    self.load = load
  }

  /// Creates a photo of a file.
  package init(path: String) { self.init(name: path) { () throws(FoveaError) in .file(path) } }

  /// Returns photos with their paths as names, or "image" and the index of an image that is not a file.
  static func named(_ images: [ImageInput]) -> [ComparedPhoto] {
    images.enumerated().map { index, image in
      ComparedPhoto(name: image.path ?? "image \(index)") { () throws(FoveaError) in image }
    }
  }
}

extension CancellationToken {
  /// Calls `body` on a thread of its own, with a token that is cancelled with the task.
  static func cancelling<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (CancellationToken) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let token = CancellationToken()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      do throws(Failure) {
        return .success(try await BlockingWork.run { _ throws(Failure) in try body(token) })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      token.cancel()
    }
    return try result.get()
  }
}
