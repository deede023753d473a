// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The names of a model's classes, which are known when the model is loaded, after the writer of results was made.
package final class ClassNames: Sendable {
  private let names = Mutex<[String]>([])

  package init() {}

  /// Says what the classes are, by index.
  package func set(_ names: [String]) { self.names.withLock { $0 = names } }

  /// The names by index; none where they are not known, or no model was needed.
  package var known: [String] { names.withLock { $0 } }
}
