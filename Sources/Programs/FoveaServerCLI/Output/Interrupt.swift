// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// Signals that ask a command to clean up and end: Ctrl-C, SIGTERM and SIGHUP.
enum Interrupt {
  /// Global because a signal handler can reach nothing else.
  private static let received = ReceivedSignals()

  /// Installs the handler: the first signal is a request to end, the second ends the process.
  static func install() {
    // Initializes the global here, not in the handler.
    _ = received.code
    var before = sigaction()
    unsafe sigaction(SIGHUP, nil, &before)
    // A command started by 'nohup' continues without its terminal. SIG_IGN is the address 1.
    // SAFETY: the union has the size of a pointer, which each of its members is.
    let goesOn = unsafe unsafeBitCast(before.__sigaction_handler, to: Int.self) == 1
    Signals.handle(goesOn ? [SIGINT, SIGTERM] : Signals.requests) { number in
      if let code = Interrupt.received.receive(number) { _exit(code) }
    }
  }

  static var isRequested: Bool { received.code != nil }

  /// Runs work, and cancels its task after a signal.
  static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let task = Task { () -> Result<Value, HostError> in
      do throws(HostError) { return .success(try await work()) } catch { return .failure(error) }
    }
    let watch = Task {
      while !isRequested, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
      if isRequested { task.cancel() }
    }
    defer { watch.cancel() }
    return try await task.value.get()
  }

  /// Runs a command; one that fails after a signal exits with the signal's code.
  static func withCode(_ body: () async throws -> Void) async throws {
    do { try await body() } catch let code as ExitCode {
      throw received.code.map { ExitCode($0) } ?? code
    }
  }
}
#endif
