// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The entries of models that the operator has given last.
final class CurrentEntries: Sendable {
  private let entries: Mutex<[ModelEntry]>

  init(_ entries: [ModelEntry]) { self.entries = Mutex(entries) }

  /// What calls name them.
  var names: Set<String> { entries.withLock { Set($0.map(\.name)) } }

  /// The entries in their order.
  var all: [ModelEntry] { entries.withLock { $0 } }

  /// Takes others.
  func replace(with new: [ModelEntry]) { entries.withLock { $0 = new } }
}
#endif
