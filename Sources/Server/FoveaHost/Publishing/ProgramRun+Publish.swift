// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ProgramRun {
  /// Runs `fovea` for a command that publishes something, and that the user may cancel.
  /// - Parameters:
  ///   - program: The path of `fovea`.
  ///   - arguments: Its arguments, without its name.
  ///   - what: The kind of what is published, for messages: "file".
  ///   - limit: The time after which it is stopped.
  ///   - isCancelled: Returns whether to stop it.
  /// - Throws: `cancelled`; `unavailable` if the program is missing.
  init(
    _ program: String, _ arguments: [String], publishing what: String, limit: Duration,
    _ isCancelled: () -> Bool
  ) throws(HostError) {
    do throws(SystemError) {
      try self.init(
        program, arguments, environment: ProgramModelRunner.environment, limit: limit,
        outputLimit: 1 << 20, isCancelled: isCancelled)
    } catch {
      throw error.number == ENOENT || error.number == EACCES
        ? ProgramModelRunner.missing : HostError(system: error)
    }
    // Ctrl-C at a terminal also ends the program, perhaps before it reaches this process: not a fault of the
    // files.
    var isEnded = isCancelled()
    if let signal, Signals.requests.contains(signal) {
      isEnded = true
      for _ in 0..<200 where !isCancelled() { usleep(1_000) }
    }
    if isEnded { throw .nothingPublished(what) }
  }

  /// The signal that ended the program, also if it has cleaned up first; nil if none did.
  private var signal: Int32? {
    switch end {
    case .killed(let signal): signal
    case .exited(let code) where code > 128: code - 128
    default: nil
    }
  }
}

extension HostError {
  /// Returns the error of a publish that was cancelled before the host received anything.
  static func nothingPublished(_ what: String) -> HostError {
    HostError(
      .cancelled, "Cancelled: nothing was published",
      remedy: "Publish the \(what) again if you still want it")
  }
}
#endif
