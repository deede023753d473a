// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import Synchronization

/// A program that a test runs; its own thread reads the output and waits for its end.
///
/// It is killed if it takes longer than its limit, and if its owner is released first.
public final class ChildProcess: Sendable {
  /// The end of a program.
  public struct Outcome: Sendable {
    /// The exit status; 128 plus the signal's number if a signal ended it.
    public var code: Int32
    /// Its standard output; both streams if they are joined.
    public var standardOutput: [UInt8] = []
    /// Its standard error; empty if the streams are joined.
    public var standardError: [UInt8] = []
    /// Standard output as text.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text.
    public var messages: String { String(decoding: standardError, as: UTF8.self) }
  }

  private let child: Child
  private let end = OnceSet<Result<Outcome, TestFailure>>()

  /// Starts a program, with empty standard input.
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Its variables; nil for those of the tests.
  ///   - folder: Its working folder; nil for that of the tests.
  ///   - joinsStreams: Whether standard error is written to standard output.
  ///   - limit: The time until it is killed, which is a failure.
  /// - Throws: `TestFailure` if it cannot be started.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    folder: String? = nil, joinsStreams: Bool = false, limit: Duration = .seconds(240)
  ) throws(TestFailure) {
    // The shell changes the folder: not every system's spawn call can.
    let (first, rest) =
      if let folder {
        ("/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments)
      } else {
        (program, arguments)
      }
    let (child, output, messages) = try Child.spawn(
      first, rest, environment: environment ?? ProcessInfo.processInfo.environment, joinsStreams: joinsStreams
    )
    self.child = child
    let name = ([program] + arguments).joined(separator: " ")
    do throws(TestFailure) {
      try OwnThread.start { [end] in
        end.set(child.wait(output, messages, name: name, limit: limit))
      }
    } catch {
      close(output)
      close(messages)
      child.signal(SIGKILL)
      throw error
    }
  }

  deinit { if end.present == nil { child.signal(SIGKILL) } }

  /// Whether it runs, or its end has not been noticed yet.
  public var isRunning: Bool { end.present == nil }

  /// Its process id, which another process may get once it has ended.
  public var identifier: Int32 { child.number }

  /// Sends SIGINT, like Ctrl-C; does nothing if it has ended.
  public func interrupt() { child.signal(SIGINT) }

  /// Sends a signal.
  public func send(_ signal: Int32) { child.signal(signal) }

  /// Waits for the end, without blocking a thread.
  /// - Throws: `TestFailure` if it took longer than its limit.
  public func outcome() async throws(TestFailure) -> Outcome { try await end.value.get() }

  /// Starts a program and waits for its end, without blocking a thread.
  ///
  /// The parameters are those of `init`.
  /// - Throws: `TestFailure` if it cannot be started, or takes longer than its limit.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    folder: String? = nil, joinsStreams: Bool = false, limit: Duration = .seconds(240)
  ) async throws(TestFailure) -> Outcome {
    let process = try ChildProcess(
      program, arguments, environment: environment, folder: folder, joinsStreams: joinsStreams, limit: limit)
    return try await process.outcome()
  }
}
