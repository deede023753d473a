// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Runs models with the program `fovea`, so that a hostile file can crash or block it without harm to the
/// host.
package struct ProgramModelRunner: ModelRunner {
  /// The path of `fovea`.
  package var program: String
  /// The maximum memory in bytes of address space, in addition to the file.
  package var memory: Int64 = 4 << 30
  /// The maximum processor time, in seconds.
  package var seconds = 30
  /// The time after which it is stopped.
  package var limit: Duration = .seconds(30)
  /// Called if the system cannot sandbox the program, which runs nevertheless.
  package var notSealed: @Sendable () -> Void = {}

  package init(program: String) { self.program = program }

  /// Returns a runner that uses the program next to the running one.
  /// - Throws: `unavailable` if it is missing.
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
      // A usage error is not a fault of the file: the two programs have different versions.
      guard status != 64 else {
        throw HostError(
          .unavailable, "The program 'fovea' next to the host does not support checking models",
          remedy: "Build both programs from the same version")
      }
      let reason = Self.reason(
        run.messages, ["model '\(path)'": "model", "'\(path)'": "the file", path: "the file"])
      // This is not a fault of the file either.
      guard !reason.hasPrefix("The LiteRT library") else {
        throw HostError(
          .unavailable, "The host cannot run models: its program 'fovea' does not find LiteRT",
          remedy: "Run make setup where the host runs, or set FOVEA_LITERT_LIBRARY for it")
      }
      return .refused(reason)
    case .killed(let signal) where signal == SIGXCPU:
      return .refused("running it took more than \(seconds) s of processor time")
    case .killed(let signal): return .refused("running it ended the process (signal \(signal))")
    case .timedOut: return .refused("running it took more than \(limit.components.seconds) s")
    case .printedTooMuch: return .refused("its description is longer than 1 MiB")
    case .cancelled: throw HostError.cancelled
    }
  }

  /// Returns the last line that the program printed, without its name and the final stop, and with names in
  /// place of paths.
  static func reason(_ messages: [UInt8], _ names: KeyValuePairs<String, String>) -> String {
    let line =
      String(decoding: messages.suffix(4_096), as: UTF8.self)
      .split(whereSeparator: \.isNewline).last.map(String.init) ?? "running it failed"
    var rest = line[...]
    if rest.hasPrefix("fovea: ") { rest = rest.dropFirst("fovea: ".count) }
    if rest.hasSuffix(".") { rest = rest.dropLast() }
    let text = names.reduce(String(rest)) { $0.replacing($1.key, with: $1.value) }
    return String(text.prefix(500)).printable
  }

  /// The variables that the program needs to find its library, without secrets of the host.
  static var environment: [String] {
    [
      "PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "FOVEA_LITERT_LIBRARY", "XDG_DATA_HOME", "TMPDIR",
    ].compactMap { name in Environment.value(name).map { "\(name)=\($0)" } }
  }

  static var missing: HostError {
    HostError(
      .unavailable, "The program 'fovea', which checks models, is missing next to the host",
      remedy: "Run make build to build both programs, and keep them in one folder")
  }
}

/// Runs a future version's file outside the host's process.
package protocol ModelRunner: Sendable {
  /// Runs a model once.
  /// - Parameter path: The path of the file, which has passed the checks of its structure.
  /// - Returns: The facts about it, or the reason why it was refused.
  /// - Throws: An error if the host itself cannot run it.
  func run(_ path: String) async throws(HostError) -> ModelVerdict
}

/// The result of checking a file.
package enum ModelVerdict: Sendable, Equatable {
  case facts(ModelFacts)
  /// Fovea's text for the problem, without a path.
  case refused(String)
}
#endif
