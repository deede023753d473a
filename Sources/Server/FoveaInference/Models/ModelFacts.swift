// SPDX-License-Identifier: Apache-2.0
#if Server
/// What is known of a model that is loaded, or was: lists name it also while it is not in memory.
package struct ModelFacts: Sendable, Equatable {
  /// What calls name it.
  package let name: String
  /// 1 for the first that this process has loaded under the name, then 2, 3 and so on.
  package internal(set) var version: Int
  /// "detect" or "label".
  package let task: String
  /// The names of its classes; empty where it has none.
  package let labels: [String]
  /// What Fovea calls its kind: a detector's family, or "classifier".
  package let family: String
  package let sha256: String
  package let byteCount: Int
  /// The shape of its input.
  package let inputShape: [Int]
  /// About what it takes of the memory with all its sessions, in bytes.
  package internal(set) var memory: Int

  /// A task in words.
  static func words(for task: String) -> String {
    task == "detect" ? "finds objects" : "labels whole images"
  }
}
#endif
