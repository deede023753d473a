// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// Finds out whether a file can be a version: first whether it is a model that a runtime can trust, then by running it.
package struct FileCheck: Sendable {
  private let runner: any ModelRunner

  package init(runner: any ModelRunner) { self.runner = runner }

  /// Checks a file.
  /// - Parameter path: The file, which nothing changes meanwhile.
  /// - Returns: What is known about it, or Firebase's words for a file that is no model with ours as detail.
  /// - Throws: `unavailable` where the host cannot check it just now.
  package func facts(of path: String) async throws(HostError) -> Result<ModelFacts, FileProblem> {
    let problem = try await BlockingWork.run { _ throws(HostError) in try FileCheck.fault(path) }
    if let problem { return .failure(.invalid(problem)) }
    return switch try await runner.run(path) {
    case .facts(let facts): .success(facts)
    case .refused(let reason): .failure(.invalid(reason))
    }
  }

  /// What clients of `FoveaModels` check when a model arrives.
  private static func fault(_ path: String) throws(HostError) -> String? {
    do throws(ModelStoreError) { return try ModelContent.fault(inFile: path) } catch {
      throw HostError(
        .unavailable, "A file of the host cannot be read",
        remedy: "Check the host's folder, its disk and its rights, then try again", cause: error)
    }
  }
}

extension FileProblem: Error {
  /// A file that is no model that can be used, in Firebase's words.
  package static func invalid(_ detail: String) -> FileProblem {
    FileProblem(code: 3, message: "Invalid flatbuffer format", detail: detail)
  }
}
#endif
