// SPDX-License-Identifier: Apache-2.0
#if Server
/// What a configuration gives that is read again while its server runs.
package struct ReadConfiguration: Sendable {
  /// The models from now on; nil for those until now, if the file has another folder of models, which counts from the next
  /// start on.
  package let entries: [ModelEntry]?
  /// The sources of a server that starts with it.
  package let sources: [StreamEntry]
  /// The names of what has changed and counts from the next start on.
  package let needsRestart: [String]

  package init(entries: [ModelEntry]?, sources: [StreamEntry] = [], needsRestart: [String] = []) {
    self.entries = entries
    self.sources = sources
    self.needsRestart = needsRestart
  }
}
#endif
