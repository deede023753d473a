// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Runs models with the program `fovea`, which a hostile file may end, fill or keep busy without harm to the host.
package struct ProgramModelRunner: ModelRunner {
  /// The path of `fovea`.
  package var program: String
  /// The most memory that it may take, in bytes of address space, besides the file.
  package var memory: Int64 = 4 << 30
  /// The most processor time, in seconds.
  package var seconds = 30
  /// After how long it is ended, whatever it does.
  package var limit: Duration = .seconds(30)
  /// Called where the system cannot close the program off, which runs all the same.
  package var notSealed: @Sendable () -> Void = {}

  package init(program: String) { self.program = program }

  /// The program next to the one that runs.
  /// - Throws: `unavailable` where there is none.
  package static func nextToThisProgram() throws(HostError) -> ProgramModelRunner {
    let own = try? FilePath.resolved("/proc/self/exe")
    let path = FilePath(own ?? CommandLine.arguments.first ?? "").parent + "/fovea"
    guard unsafe access(path, X_OK) == 0 else { throw missing }
    return ProgramModelRunner(program: path)
  }

  package func run(_ path: String) async throws(HostError) -> ModelVerdict {
    try await BlockingWork.run { stop throws(HostError) in try verdict(path) { stop.isSet } }
  }

  private func verdict(_ path: String, _ isCancelled: () -> Bool) throws(HostError) -> ModelVerdict {
    let size = Int64(FileStatus(FilePath(path))?.size ?? 0)
    var run: ProgramRun
    do throws(SystemError) {
      run = try ProgramRun(
        program,
        [
          "model", "inspect", path, "--run", "--json", "--limit-memory", String(memory + 2 * size),
          "--limit-seconds", String(seconds), "--sealed",
        ], environment: Self.environment, limit: limit, outputLimit: 1 << 20, isCancelled: isCancelled)
    } catch {
      throw error.number == ENOENT || error.number == EACCES ? Self.missing : HostError(system: error)
    }
    let note = Array("\(ParentProcess.openNote)\n".utf8)
    if run.messages.starts(with: note) {
      run.messages.removeFirst(note.count)
      notSealed()
    }
    switch run.end {
    case .exited(0):
      guard let answer = InspectionAnswer.read(run.output) else {
        return .refused("its description cannot be read")
      }
      return .facts(answer.facts)
    case .exited(let status):
      // A usage error is no fault of the file: the two programs are of different versions.
      guard status != 64 else {
        throw HostError(
          .unavailable, "The program 'fovea' next to the host does not know how to check models",
          remedy: "Build both programs from the same version")
      }
      let reason = Self.reason(run.messages, path)
      // No fault of the file either.
      guard !reason.hasPrefix("The LiteRT library") else {
        throw HostError(
          .unavailable, "The host cannot run models: its program 'fovea' does not find LiteRT",
          remedy: "Run make setup where the host runs, or set FOVEA_LITERT_LIBRARY for it")
      }
      return .refused(reason)
    case .killed(let signal) where signal == SIGXCPU:
      return .refused("running it took more than \(seconds) s of processor time")
    case .killed(let signal): return .refused("running it has ended the process (signal \(signal))")
    case .timedOut: return .refused("running it had not ended after \(limit.components.seconds) s")
    case .printedTooMuch: return .refused("its description is longer than 1 MiB")
    case .cancelled: throw HostError.cancelled
    }
  }

  /// The last line that the program printed, without its name, the path and the stop at the end.
  static func reason(_ messages: [UInt8], _ path: String) -> String {
    let line =
      String(decoding: messages.suffix(4_096), as: UTF8.self)
      .split(whereSeparator: \.isNewline).last.map(String.init) ?? "running it has failed"
    var text = ""
    var rest = line[...]
    if rest.hasPrefix("fovea: ") { rest = rest.dropFirst("fovea: ".count) }
    if rest.hasSuffix(".") { rest = rest.dropLast() }
    while let range = rest.firstRange(of: path) {
      text += rest[..<range.lowerBound] + "the file"
      rest = rest[range.upperBound...]
    }
    return String((text + rest).prefix(500)).printable
  }

  /// What the program needs to find its library, and no secret of the host.
  static var environment: [String] {
    [
      "PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "FOVEA_LITERT_LIBRARY", "XDG_DATA_HOME", "TMPDIR",
    ].compactMap { name in Environment.value(name).map { "\(name)=\($0)" } }
  }

  static var missing: HostError {
    HostError(
      .unavailable, "There is no program 'fovea' next to the host, which checks models with it",
      remedy: "Run make build, which makes both programs, and keep them in one folder")
  }
}

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
