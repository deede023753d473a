// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// A program in Examples, which the build places next to the tests.
struct ExampleProgram {
  let path: String

  static let folder = BuiltProgram.path.map { String($0.dropLast("/fovea".count)) }
  static let areBuilt =
    folder.map { FileManager.default.isExecutableFile(atPath: $0 + "/CustomClassifier") } ?? false

  init(_ name: String) throws {
    guard let folder = Self.folder else { throw CocoaError(.fileNoSuchFile) }
    path = folder + "/" + name
  }

  /// Runs the program in the repository's folder; returns both streams joined.
  func run(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(path, arguments, folder: PackageRoot.path, joinsStreams: true)
  }
}
