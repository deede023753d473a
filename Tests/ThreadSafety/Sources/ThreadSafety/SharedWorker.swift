// SPDX-License-Identifier: Apache-2.0

/// What many tasks share: something that answers a question about an image.
protocol SharedWorker: Sendable {
  associatedtype Answer: Hashable, Sendable

  /// What is shared, as the report names it.
  var name: String { get }

  func answer(for picture: Picture) async throws -> Answer

  /// Whether an error says that the caller's task was cancelled.
  func isCancellation(_ error: any Error) -> Bool
}
