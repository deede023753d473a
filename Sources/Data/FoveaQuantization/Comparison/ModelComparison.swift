// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaImage
import FoveaRuntime

/// Compares two models of one task on the same photos: their agreement, their accuracy if there is ground
/// truth, the processor time of their runs, and their sizes.
package struct ModelComparison: Sendable {
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
  ///   - photos: The photos, in order.
  ///   - progress: Called with the number of finished photos.
  /// - Returns: The figures, without photos that could not be read.
  /// - Throws: The errors of models that no single photo causes; `cancelled`.
  package func run(
    _ photos: [ComparedPhoto], progress: (Int) -> Void = { _ in }
  ) async throws(FoveaError) -> ComparedModels {
    var agreement = Agreement(first.task)
    var truthAnswers = TruthAnswers(truth)
    var failed: [ComparedModels.Failed] = []
    var read: ImageInput?
    for (index, photo) in photos.enumerated() {
      if Task.isCancelled { throw FoveaError(CancellationError()) }
      switch try await answers(to: photo, &truthAnswers) {
      case .success(let (input, ours, theirs)):
        agreement.add(ours, theirs, pairing)
        read = read ?? input
      case .failure(let error): failed.append(ComparedModels.Failed(name: photo.name, error: error))
      }
      progress(index + 1)
    }
    var times: TurnTimer.Times?
    if let read { times = try await self.times(on: read) }
    return ComparedModels(
      task: first.task, threshold: threshold, agreement: agreement,
      accuracy: try truthAnswers.accuracy(first, second), times: times,
      byteCounts: (first.byteCount, second.byteCount), photoCount: photos.count - failed.count,
      failed: failed)
  }

  /// Measures the runs of both models on a photo, each with one thread.
  /// - Throws: The errors of models and photos; `cancelled`.
  package func times(on photo: ImageInput) async throws(FoveaError) -> TurnTimer.Times {
    let (sources, timer) = ((first.source, second.source), timer)
    var options = (first.options, second.options)
    (options.0.threads, options.1.threads) = (1, 1)
    let asked = options
    do {
      let pool = try await WorkerPool(count: 1) {
        try TimedPair(
          first: ImageTensorWorker(sources.0, asked.0), second: ImageTensorWorker(sources.1, asked.1))
      }
      return try await pool.callCancellable { pair, token in
        try pair.times(timer, on: photo, cancelledBy: token)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the answers of both models for a photo, or the error of one that cannot be read; adds the
  /// answers that are compared with ground truth.
  private func answers(
    to photo: ComparedPhoto, _ truthAnswers: inout TruthAnswers
  ) async throws(FoveaError) -> Result<(ImageInput, ModelAnswer, ModelAnswer), FoveaError> {
    let input: ImageInput
    do throws(FoveaError) { input = try photo.load() } catch { return .failure(error) }
    do throws(FoveaError) {
      let ours = try await first.answer(to: input, threshold: threshold)
      let theirs = try await second.answer(to: input, threshold: threshold)
      try Self.check(ours, theirs)
      try await truthAnswers.add(photo.name, input, (first, ours), (second, theirs))
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
        "'\(first.name.printable)' has \(ours) classes, and '\(second.name.printable)' has \(theirs)")
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
}

/// The two models whose runs are timed in turns, on one thread.
private struct TimedPair {
  let first: ImageTensorWorker
  let second: ImageTensorWorker

  func times(
    _ timer: TurnTimer, on photo: ImageInput, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> TurnTimer.Times {
    try first.fill(photo)
    try second.fill(photo)
    return try timer.times(
      { () throws(FoveaError) in try first.run(cancelledBy: token) },
      { () throws(FoveaError) in try second.run(cancelledBy: token) })
  }
}
