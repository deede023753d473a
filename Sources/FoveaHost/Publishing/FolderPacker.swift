// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem

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
    /// - Throws: `invalid` where the folder is no model with labels; `unavailable`; what `body` throws.
    package func withFile<Value: Sendable>(
      of folder: String, _ body: (_ file: String) async throws(HostError) -> Value
    ) async throws(HostError) -> Value {
      let place = (Environment.value("TMPDIR") ?? "/tmp") + "/fovea-" + BlobPlaces.newUploadName()
      guard unsafe mkdir(place, 0o700) == 0 else { throw HostError(system: SystemError(errno)) }
      let file = place + "/model.tflite"
      defer {
        unsafe unlink(file)
        unsafe rmdir(place)
      }
      try await HostWork.run { () throws(HostError) in try pack(folder, to: file) }
      return try await body(file)
    }

    private func pack(_ folder: String, to file: String) throws(HostError) {
      let run: ProgramRun
      do throws(SystemError) {
        run = try ProgramRun(
          program, ["model", "add-metadata", folder, "--output", file],
          environment: ProgramModelRunner.environment, limit: limit, outputLimit: 1 << 20)
      } catch {
        throw error.number == ENOENT || error.number == EACCES
          ? ProgramModelRunner.missing : HostError(system: error)
      }
      guard run.end != .exited(0) else { return }
      let reason = ProgramModelRunner.reason(run.messages, file)
      throw HostError(
        .invalid, "The folder '\(folder.printable)' cannot be packed into one file: \(reason)",
        remedy: "Name a folder with model.tflite and dict.txt, or a .tflite file")
    }
  }
#endif
