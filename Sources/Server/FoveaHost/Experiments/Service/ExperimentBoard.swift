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

  private struct State {
    var entries: [Entry] = [] {
      didSet { work = ExperimentBoard.work(of: entries) }
    }
    var work = FetchWork()
  }

  private let state = Mutex(State())

  package init() {}

  /// In the order of creation.
  package var all: [Entry] { state.withLock { $0.entries } }

  /// The work of assigning an app's variants of the experiments on parameters, added up when one changes.
  package var work: FetchWork { state.withLock { $0.work } }

  /// The revisions of all experiments, by their ids.
  var revisions: [String: Int64] {
    state.withLock { state in
      Dictionary(state.entries.map { ($0.experiment.id, $0.experiment.revision) }) { first, _ in first }
    }
  }

  package func experiment(_ id: String) -> Experiment? {
    state.withLock { $0.entries.first { $0.experiment.id == id } }?.experiment
  }

  /// Adds or replaces an experiment after a commit; a revision older than the current one is ignored.
  package func enter(_ entry: Entry) {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.experiment.id == entry.experiment.id }) else {
        return state.entries.append(entry)
      }
      guard state.entries[index].experiment.revision <= entry.experiment.revision else { return }
      state.entries[index] = entry
    }
  }

  private static func work(of entries: [Entry]) -> FetchWork {
    entries.reduce(into: FetchWork()) { work, entry in
      guard entry.experiment.model == nil, entry.experiment.setsParameters else { return }
      work.add(entry.experiment.variants, entry.condition)
    }
  }
}
#endif
