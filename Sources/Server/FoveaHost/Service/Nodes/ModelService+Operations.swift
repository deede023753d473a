// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Makes an operation whose caller will ask for it again, maybe another node, known to other nodes.
  ///
  /// Does nothing for the only host of a database, and if the database cannot be reached: the caller then
  /// gets an answer only from this node.
  func share(_ id: String) async {
    guard metadata.shared != nil, let operation = operations.share(id) else { return }
    try? await metadata.share(id, operation)
  }

  /// Returns an operation of another node, which learns that someone waits for it; nil if no node knows it.
  ///
  /// If it has ended with a version, that version is in memory.
  /// - Throws: `unavailable`.
  func operation(elsewhere id: String) async throws(HostError) -> SharedOperation? {
    guard metadata.shared != nil, let found = try await metadata.operation(id) else { return nil }
    var operation = found.operation
    guard operation.outcome == nil else {
      // This node may not have heard yet of the version, which the caller gets now.
      if operation.hasVersion { try await readChanges() }
      return operation
    }
    if found.isAlive {
      try await metadata.send(.ask(operation: id))
    } else if operation.sender != nil, operations.hasStopped(found.node, at: ContinuousClock.now) {
      operation.outcome = .init(SharedOperation.left)
    }
    return operation
  }

  /// Cancels the publish of another node, and waits a moment for its end.
  func cancel(elsewhere id: String) async throws(HostError) {
    try await metadata.send(.cancel(operation: id))
    for _ in 0..<10 {
      guard try await metadata.operation(id)?.operation.outcome == nil else { return }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
    }
  }
}
#endif
