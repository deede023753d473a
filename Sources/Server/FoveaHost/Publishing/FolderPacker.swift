// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Makes one file of an AutoML folder with the program `fovea`: the model with its labels inside, which is what a host keeps.
package struct FolderPacker: Sendable {
  /// The path of `fovea`.
  package var program: String
  /// After how long it is ended.
  package var limit: Duration = .seconds(120)

  package init(program: String) { self.program = program }

  /// The program next to the one that runs.
  /// - Throws: `unavailable` where there is none.
  package static func nextToThisProgram() throws(HostError) -> FolderPacker {
    FolderPacker(program: try ProgramModelRunner.nextToThisProgram().program)
  }

  /// Packs a folder, lets `body` use the file, and removes it.
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - isCancelled: Whether the packing is to end without a file; asked again and again, by another thread.
  ///   - body: Uses the file.
  /// - Returns: What `body` returns.
  /// - Throws: `invalid` where the folder is no model with labels; `unavailable`; `cancelled`; what `body` throws.
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

  /// Removes a folder of files; a program that was killed may have left a part of one.
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
    // Ctrl-C at a terminal ends the program, too, perhaps a moment before it reaches this process: no fault of the folder.
    var isEnded = isCancelled()
    if case .killed(let signal) = run.end, Signals.requests.contains(signal) {
      isEnded = true
      for _ in 0..<200 where !isCancelled() { usleep(1_000) }
    }
    guard !isEnded else {
      throw HostError(
        .cancelled, "Cancelled: nothing was published",
        remedy: "Publish the folder again if it is still wanted")
    }
    guard run.end != .exited(0) else { return }
    let reason = ProgramModelRunner.reason(run.messages, file)
    throw HostError(
      .invalid, "The folder '\(folder.printable)' cannot be packed into one file: \(reason)",
      remedy: "Name a folder with model.tflite and dict.txt, or a .tflite file")
  }
}
#endif
