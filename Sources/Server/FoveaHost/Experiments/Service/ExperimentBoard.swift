// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// All experiments of a project in memory, so that devices are answered without the database.
package final class ExperimentBoard: Sendable {
  /// An experiment and its parsed condition.
  package struct Entry: Sendable {
    package let experiment: Experiment
    /// Nil for an experiment of all apps.
    package let condition: ConfigExpression?
  }

  private let entries = Mutex<[Entry]>([])

  package init() {}

  /// In the order of creation.
  package var all: [Entry] { entries.withLock { $0 } }

  package func experiment(_ id: String) -> Experiment? {
    entries.withLock { $0.first { $0.experiment.id == id } }?.experiment
  }

  /// Replaces all entries.
  package func replace(_ new: [Entry]) { entries.withLock { $0 = new } }

  /// Adds or replaces an experiment after a commit; a revision older than the current one is ignored.
  package func enter(_ entry: Entry) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.experiment.id == entry.experiment.id }) else {
        return entries.append(entry)
      }
      guard entries[index].experiment.revision <= entry.experiment.revision else { return }
      entries[index] = entry
    }
  }
}
#endif
