// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// Checks whether a file can be a version: first its structure, then by running it.
package struct FileCheck: Sendable {
  private let runner: any ModelRunner

  package init(runner: any ModelRunner) { self.runner = runner }

  /// Checks a file.
  /// - Parameter path: The path of the file, which must not change meanwhile.
  /// - Returns: The facts about it, or Firebase's text for a file that is not a model, with Fovea's text as
  ///   detail.
  /// - Throws: `unavailable` if the host cannot check it at the moment.
  package func facts(of path: String) async throws(HostError) -> Result<ModelFacts, FileProblem> {
    let problem = try await BlockingWork.run { _ throws(HostError) in try FileCheck.fault(path) }
    if let problem { return .failure(.invalid(problem)) }
    return switch try await runner.run(path) {
    case .facts(let facts): .success(facts)
    case .refused(let reason): .failure(.invalid(reason))
    }
  }

  /// Checks what clients of `FoveaModels` check when a model arrives.
  private static func fault(_ path: String) throws(HostError) -> String? {
    do throws(ModelStoreError) { return try ModelContent.fault(inFile: path) } catch {
      throw HostError(
        .unavailable, "A file of the host cannot be read",
        remedy: "Check the host's folder, its disk and its permissions, then try again", cause: error)
    }
  }
}

extension FileProblem: Error {
  /// Returns the problem with a file that is not a usable model, with Firebase's text.
  package static func invalid(_ detail: String) -> FileProblem {
    FileProblem(code: 3, message: "Invalid flatbuffer format", detail: detail)
  }
}
#endif
