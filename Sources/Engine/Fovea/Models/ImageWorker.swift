// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaRuntime

/// One session of a detector, labeler, segmenter or embedder, with all memory that is reused from image to
/// image.
protocol ImageWorker: SendableMetatype {
  /// The parts that all sessions share.
  associatedtype Plan: Sendable
  /// The findings in one image.
  associatedtype Findings: Sendable

  init(_ plan: Plan) throws

  /// The class names by index; empty if unknown.
  var classNames: [String] { get }
  /// The assumptions made about facts that neither the options nor the model states.
  var assumptions: [Advice] { get }

  /// Processes an image, or one of its regions.
  func analyze(_ image: ImageInput, region: BoundingBox?, token: CancellationToken) throws -> Findings
}

extension WorkerPool where Resource: ImageWorker {
  /// Opens the sessions of a detector, labeler, segmenter or embedder.
  /// - Parameters:
  ///   - sessions: The number of sessions, checked by `plan`.
  ///   - plan: A closure that loads the models, on a thread of its own.
  /// - Returns: The pool and its plan.
  /// - Throws: The errors of `plan` and of creating a session.
  static func open(
    sessions: Int, _ plan: @escaping @Sendable () throws -> Resource.Plan
  ) async throws(FoveaError) -> (pool: WorkerPool, plan: Resource.Plan) {
    do {
      let plan = try await LoadingThread.call(plan)
      return (try await WorkerPool(count: sessions) { try Resource(plan) }, plan)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the assumptions made about facts that neither the options nor the model states.
  func assumptions() async throws(FoveaError) -> [Advice] {
    try await callCancellable { worker, _ in worker.assumptions }
  }

  /// Processes an image or one of its regions with a free session.
  func analyze(
    _ image: ImageInput, region: BoundingBox?
  ) async throws(FoveaError) -> Resource.Findings {
    try await callCancellable { worker, token in
      try worker.analyze(image, region: region, token: token)
    }
  }
}
