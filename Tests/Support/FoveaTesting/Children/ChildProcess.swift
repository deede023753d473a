// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import Synchronization

/// A program that a test runs; its own thread reads what it prints and waits for its end.
///
/// It is ended when it takes longer than its limit, and when its owner goes away before it.
public final class ChildProcess: Sendable {
  /// How a program ended.
  public struct Outcome: Sendable {
    /// The exit status; 128 and the signal's number where a signal ended it.
    public var code: Int32
    /// What it printed to standard output; to both streams where they are joined.
    public var standardOutput: [UInt8] = []
    /// What it printed to standard error; nothing where the streams are joined.
    public var standardError: [UInt8] = []
    /// Standard output as text.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text.
    public var messages: String { String(decoding: standardError, as: UTF8.self) }
  }

  private let child: Child
  private let end = OnceSet<Result<Outcome, TestFailure>>()

  /// Starts a program, with nothing on its standard input.
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Its variables; nil for those of the tests.
  ///   - folder: Its folder; nil for that of the tests.
  ///   - joinsStreams: Whether standard error goes where standard output goes.
  ///   - limit: After how long it is ended, which is a failure.
  /// - Throws: `TestFailure` where it cannot be started.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    folder: String? = nil, joinsStreams: Bool = false, limit: Duration = .seconds(240)
  ) throws(TestFailure) {
    // The shell goes into the folder: not every system's call that starts programs can.
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

  /// Whether it has not ended, or its end has not been seen yet.
  public var isRunning: Bool { end.present == nil }

  /// Its number in the system, which another process may have once it has ended.
  public var identifier: Int32 { child.number }

  /// Sends it what Ctrl-C sends; nothing where it has ended.
  public func interrupt() { child.signal(SIGINT) }

  /// Sends it a signal.
  public func send(_ signal: Int32) { child.signal(signal) }

  /// Waits for the end, without a thread.
  /// - Throws: `TestFailure` where it took longer than its limit.
  public func outcome() async throws(TestFailure) -> Outcome { try await end.value.get() }

  /// Starts a program and waits for its end, without a thread.
  ///
  /// The parameters are those of `init`.
  /// - Throws: `TestFailure` where it cannot be started, or takes longer than its limit.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    folder: String? = nil, joinsStreams: Bool = false, limit: Duration = .seconds(240)
  ) async throws(TestFailure) -> Outcome {
    let process = try ChildProcess(
      program, arguments, environment: environment, folder: folder, joinsStreams: joinsStreams, limit: limit)
    return try await process.outcome()
  }
}
