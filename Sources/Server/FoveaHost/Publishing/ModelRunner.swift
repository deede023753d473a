// SPDX-License-Identifier: Apache-2.0
#if Server
/// Runs a file that is to be a version, away from the host's process.
package protocol ModelRunner: Sendable {
  /// Runs a model once.
  /// - Parameter path: The file, which has passed the checks of its structure.
  /// - Returns: What that has found out, or why the file was refused.
  /// - Throws: Where the host itself is the reason that it cannot be run.
  func run(_ path: String) async throws(HostError) -> ModelVerdict
}

/// What a check has found out about a file.
package enum ModelVerdict: Sendable, Equatable {
  case facts(ModelFacts)
  /// Fovea's words for what is wrong with it, without a path.
  case refused(String)
}
#endif
