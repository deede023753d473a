// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// One of the programs in Examples, which the build puts beside the tests.
struct ExampleProgram {
  let path: String

  static let folder = BuiltProgram.path.map { String($0.dropLast("/fovea".count)) }
  static let areBuilt =
    folder.map { FileManager.default.isExecutableFile(atPath: $0 + "/CustomClassifier") } ?? false

  init(_ name: String) throws {
    guard let folder = Self.folder else { throw CocoaError(.fileNoSuchFile) }
    path = folder + "/" + name
  }

  struct Run {
    var status: Int32
    /// What it printed to both streams.
    var output: String
  }

  /// Runs it in the repository's folder.
  func run(_ arguments: [String]) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.currentDirectoryURL = URL(fileURLWithPath: PackageRoot.path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }
}
