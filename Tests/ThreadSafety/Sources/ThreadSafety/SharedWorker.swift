// SPDX-License-Identifier: Apache-2.0

/// A shared worker that processes an image.
protocol SharedWorker: Sendable {
  associatedtype Answer: Hashable, Sendable

  /// The name of the shared object in the report.
  var name: String { get }

  func answer(for sample: SampleImage) async throws -> Answer

  /// Whether an error reports that the caller's task was cancelled.
  func isCancellation(_ error: any Error) -> Bool
}
