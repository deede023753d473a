// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// The system side of a child process.
final class Child: Sendable {
  let number: pid_t
  /// Whether the system has released the id, which another process may have from then on.
  private let isGone = Mutex(false)

  private init(number: pid_t) { self.number = number }

  /// Sends a signal, as long as the process exists.
  func signal(_ signal: Int32) {
    isGone.withLock { if !$0 { kill(number, signal) } }
  }

  /// Starts a program.
  /// - Returns: The process, and the descriptors of its standard output and standard error; the second is
  /// below 0 if the streams are joined.
  static func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], joinsStreams: Bool
  ) throws(TestFailure) -> (child: Child, output: Int32, messages: Int32) {
    do {
      let started = try SpawnedProgram(
        program, arguments, environment: environment.map { "\($0)=\($1)" }, joinsStreams: joinsStreams)
      return (Child(number: started.number), started.output, started.messages)
    } catch {
      throw TestFailure("\(program) cannot be started: \(error.message)")
    }
  }

  /// Reads the output of the process and waits for its end; kills it after the limit.
  func wait(
    _ output: Int32, _ messages: Int32, name: String, limit: Duration
  ) -> Result<ChildProcess.Outcome, TestFailure> {
    defer {
      close(output)
      if messages >= 0 { close(messages) }
    }
    let end = ContinuousClock.now + limit
    var outcome = ChildProcess.Outcome(code: -1)
    var isOpen = (output: true, messages: messages >= 0)
    var isOver = false
    while !isOver, isOpen.output || isOpen.messages {
      // A number below 0 is left out.
      var files = [
        pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.messages ? messages : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&files, 2, 200)
      if files[0].revents != 0 { isOpen.output = Self.read(output, into: &outcome.standardOutput) }
      if files[1].revents != 0 { isOpen.messages = Self.read(messages, into: &outcome.standardError) }
      isOver = ContinuousClock.now > end
    }
    while !isOver {
      if let status = reap() {
        outcome.code = status
        return .success(outcome)
      }
      _ = poll(nil, 0, 2)
      isOver = ContinuousClock.now > end
    }
    signal(SIGKILL)
    while reap() == nil { _ = poll(nil, 0, 2) }
    return .failure(
      TestFailure(
        "\(name) had not ended after \(limit.components.seconds) s; it printed: \(outcome.output)\(outcome.messages)"
      ))
  }

  /// The exit status; nil while the process runs.
  private func reap() -> Int32? {
    isGone.withLock { isGone in
      var status: Int32 = 0
      let answer = unsafe waitpid(number, &status, WNOHANG)
      guard answer != 0 else { return nil }
      if answer < 0, errno == EINTR { return nil }
      isGone = true
      let signal = status & 0x7F
      return answer < 0 ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
  }

  /// Reads the available bytes; returns false at the end.
  private static func read(_ file: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Descriptor.read(file, into: &buffer)
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    return true
  }
}
