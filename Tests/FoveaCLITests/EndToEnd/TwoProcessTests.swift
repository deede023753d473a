// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaCLI

/// The built program next to this process: two real processes with one file, and the shell's view of usage
/// errors.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
struct TwoProcessTests {
  /// Runs the program without blocking a thread.
  private static func fovea(_ arguments: [String], in folder: TemporaryFolder) async throws -> (
    code: Int32, messages: String
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try folder.write("messages", "")
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder["messages"]))
    let code = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    return (code, try folder.read("messages").replacing(folder.path + "/", with: ""))
  }

  private static let photo = PackageRoot.path + "/Examples/photos/cat.jpg"

  @Test(arguments: [
    ["detect", photo, "--format", "jsonl", "-o"], ["detect", photo, "--format", "csv", "--resume", "-o"],
    ["label", photo, "-o"], ["track", "det.txt", "--format", "csv", "-o"],
    ["detect", photo, "--format", "json", "-o"], ["detect", photo, "--report"],
  ])
  func `a second process with the same file is refused`(_ arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...3))
    let holder = try OutputFile(path: folder["out"], appending: false, whenWhole: false)
    try holder.write("ours\n")
    let outcome = try await Self.fovea(
      arguments.map { $0 == "det.txt" ? folder[$0] : $0 } + [folder["out"]], in: folder)
    #expect(outcome.code == (arguments[0] == "track" ? 1 : 2))
    #expect(
      outcome.messages == "fovea: "
        + FileLockTests.refusal("out").replacing(
          "--output", with: arguments.last == "--report" ? "--report" : "--output") + "\n")
    try holder.finish()
    #expect(try folder.read("out") == "ours\n")
  }

  @Test func `the program reports a misspelt command`() async throws {
    let folder = try TemporaryFolder()
    let command = try await Self.fovea(["detct", "a.jpg", "--threshold", "0.5"], in: folder)
    #expect(command.code == 64)
    #expect(
      command.messages == """
        Error: Unknown command 'detct'. Did you mean 'detect'?
        Usage: fovea [--version] <subcommand>
          See 'fovea --help' for more information.

        """)
    let option = try await Self.fovea(["detect", "a.jpg", "--treshold", "0.5"], in: folder)
    #expect(option.code == 64)
    #expect(
      option.messages == """
        Error: Unknown option '--treshold'. Did you mean '--threshold'?
        Usage: fovea detect <path>… [options]
          See 'fovea detect --help' for more information.

        """)
    let line = try await Self.fovea(["track", "a.mp4", "--line", "5,5,5,5"], in: folder)
    #expect(line.code == 64)
    #expect(line.messages == "fovea: The line begins and ends at (5.0, 5.0). Give two different points.\n")
  }
}
