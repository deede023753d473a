// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Packs an AutoML folder into one file with the program `fovea`: the model with its labels inside, which is
/// the form that a host stores.
package struct FolderPacker: Sendable {
  /// The path of `fovea`.
  package var program: String
  /// The time after which it is stopped.
  package var limit: Duration = .seconds(120)

  package init(program: String) { self.program = program }

  /// Returns a packer that uses the program next to the running one.
  /// - Throws: `unavailable` if it is missing.
  package static func nextToThisProgram() throws(HostError) -> FolderPacker {
    FolderPacker(program: try ProgramModelRunner.nextToThisProgram().program)
  }

  /// Packs a folder, passes the file to `body`, and removes it.
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - isCancelled: Whether to stop packing without a file; polled on another thread.
  ///   - body: Uses the file.
  /// - Returns: The result of `body`.
  /// - Throws: `invalid` if the folder is not a model with labels; `unavailable`; `cancelled`; any error of
  ///   `body`.
  package func withFile<Value: Sendable>(
    of folder: String, isCancelled: @escaping @Sendable () -> Bool = { false },
    _ body: (_ file: String) async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    try await TemporaryPlace.with { place throws(HostError) in
      let file = place + "/model.tflite"
      try await BlockingWork.run { _ throws(HostError) in try pack(folder, to: file, isCancelled) }
      return try await body(file)
    }
  }

  private func pack(_ folder: String, to file: String, _ isCancelled: () -> Bool) throws(HostError) {
    let run = try ProgramRun(
      program, ["model", "add-metadata", "--published", folder, "--output", file], publishing: "folder",
      limit: limit, isCancelled)
    guard run.end != .exited(0) else { return }
    let reason = ProgramModelRunner.reason(run.messages, [file: "the file"])
    throw HostError(
      .invalid, "The folder '\(folder.printable)' cannot be packed into one file: \(reason)",
      remedy:
        """
        Choose a folder with model.tflite and dict.txt, or a .tflite file, such as one that \
        \(command: "model add-metadata") has made of the folder with the options that it needs
        """)
  }
}
#endif
