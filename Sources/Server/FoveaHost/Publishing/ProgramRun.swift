// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A run of a program to its end, with limits on its time and output.
struct ProgramRun {
  /// The way it ended.
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// Stopped: its time was over.
    case timedOut
    /// Stopped: it printed more than allowed.
    case printedTooMuch
    /// It was stopped because nothing waits for it any more.
    case cancelled
  }

  var end: End
  var output: [UInt8]
  var messages: [UInt8]

  /// Runs one of Fovea's programs, which ends with this process; blocks the caller's thread.
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: All of its variables, `NAME=value`.
  ///   - limit: The time after which it is stopped.
  ///   - outputLimit: The maximum number of bytes on each of its two streams.
  ///   - isCancelled: Returns whether nothing waits for the program any more; it is then stopped.
  /// - Throws: An error if it cannot be started.
  init(
    _ program: String, _ arguments: [String], environment: [String], limit: Duration, outputLimit: Int,
    isCancelled: () -> Bool = { false }
  ) throws(SystemError) {
    let started = try SpawnedProgram(program, arguments, environment: environment, endsWithStarter: true)
    defer { for file in [started.output, started.messages] { close(file) } }
    self.output = []
    self.messages = []
    end = .exited(0)
    let deadline = ContinuousClock.now + limit
    let stopped = read(started.output, started.messages, until: deadline, limit: outputLimit, isCancelled)
    end = Self.wait(started.number, until: deadline, stopped, isCancelled)
  }

  /// - Returns: The reason to stop it; nil if it has closed both streams.
  private mutating func read(
    _ output: Int32, _ messages: Int32, until deadline: ContinuousClock.Instant, limit: Int,
    _ isCancelled: () -> Bool
  ) -> End? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var isOpen = (true, true)
    while isOpen.0 || isOpen.1 {
      guard ContinuousClock.now < deadline else { return .timedOut }
      if isCancelled() { return .cancelled }
      // Negative descriptors are ignored.
      var files = [
        pollfd(fd: isOpen.0 ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.1 ? messages : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&files, 2, 100)
      if files[0].revents != 0 {
        let count = Descriptor.read(output, into: &chunk)
        if count > 0 { self.output += chunk[..<count] } else { isOpen.0 = false }
      }
      if files[1].revents != 0 {
        let count = Descriptor.read(messages, into: &chunk)
        if count > 0 { self.messages += chunk[..<count] } else { isOpen.1 = false }
      }
      if self.output.count > limit || self.messages.count > limit { return .printedTooMuch }
    }
    return nil
  }

  private static func wait(
    _ number: pid_t, until deadline: ContinuousClock.Instant, _ stopped: End?, _ isCancelled: () -> Bool
  ) -> End {
    var stopped = stopped
    var isKilled = false
    while true {
      if stopped != nil, !isKilled {
        kill(number, SIGKILL)
        isKilled = true
      }
      var status: Int32 = 0
      let answer = unsafe waitpid(number, &status, WNOHANG)
      if answer == number || (answer < 0 && errno != EINTR) {
        if let stopped { return stopped }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
      }
      if stopped == nil, ContinuousClock.now >= deadline { stopped = .timedOut }
      if stopped == nil, isCancelled() { stopped = .cancelled }
      _ = poll(nil, 0, 2)
    }
  }
}
#endif
