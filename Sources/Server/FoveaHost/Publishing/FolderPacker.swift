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
    let place = (Environment.value("TMPDIR") ?? "/tmp") + "/fovea-" + BlobPlaces.newUploadName()
    guard unsafe mkdir(place, 0o700) == 0 else { throw HostError(system: SystemError(errno)) }
    let file = place + "/model.tflite"
    defer { Self.remove(place) }
    try await BlockingWork.run { _ throws(HostError) in try pack(folder, to: file, isCancelled) }
    return try await body(file)
  }

  /// Removes a folder of files; a killed program may have left a partial file.
  private static func remove(_ place: String) {
    try? Folder.forEach(in: FilePath(place)) { name, _ in
      _ = unsafe unlink(place + "/" + String(decoding: name, as: UTF8.self))
    }
    unsafe rmdir(place)
  }

  private func pack(_ folder: String, to file: String, _ isCancelled: () -> Bool) throws(HostError) {
    let run: ProgramRun
    do throws(SystemError) {
      run = try ProgramRun(
        program, ["model", "add-metadata", folder, "--output", file],
        environment: ProgramModelRunner.environment, limit: limit, outputLimit: 1 << 20,
        isCancelled: isCancelled)
    } catch {
      throw error.number == ENOENT || error.number == EACCES
        ? ProgramModelRunner.missing : HostError(system: error)
    }
    // Ctrl-C at a terminal also ends the program, perhaps before it reaches this process: not a fault of the
    // folder.
    var isEnded = isCancelled()
    if case .killed(let signal) = run.end, Signals.requests.contains(signal) {
      isEnded = true
      for _ in 0..<200 where !isCancelled() { usleep(1_000) }
    }
    guard !isEnded else {
      throw HostError(
        .cancelled, "Cancelled: nothing was published",
        remedy: "Publish the folder again if you still want it")
    }
    guard run.end != .exited(0) else { return }
    let reason = ProgramModelRunner.reason(run.messages, file)
    throw HostError(
      .invalid, "The folder '\(folder.printable)' cannot be packed into one file: \(reason)",
      remedy: "Choose a folder with model.tflite and dict.txt, or a .tflite file")
  }
}
#endif
