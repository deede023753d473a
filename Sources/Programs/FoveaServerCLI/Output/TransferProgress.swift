// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

/// How far an import is, for one that a signal ends.
struct ImportProgress {
  /// How many files and templates it has.
  let count: Int
  private var done = 0

  init(count: Int) { self.count = count }

  /// Imports one more, unless a signal has come.
  /// - Parameters:
  ///   - body: Imports it; throws `cancelled` after a signal that came in time.
  ///   - isCancelled: Whether a signal has come.
  /// - Throws: What `body` throws; `cancelled`, with what is imported and what to do next.
  mutating func step(
    _ body: () async throws(HostError) -> Void, isCancelled: () -> Bool = { Interrupt.isRequested }
  ) async throws(HostError) {
    guard !isCancelled() else { throw cancelled }
    do throws(HostError) { try await body() } catch {
      throw error.code == .cancelled && isCancelled() ? cancelled : error
    }
    done += 1
  }

  private var cancelled: HostError {
    HostError(
      .cancelled,
      "Cancelled: \(DecimalText.grouped(done)) of "
        + "\(DecimalText.counted(count, "file or template was", "files and templates were")) imported",
      remedy: "Run the import again to go on: what the host has is not imported twice")
  }
}

/// How far a publish is, on a terminal.
enum PublishMeter {
  /// Prints one line, where a person may read it.
  static func show(_ progress: HostClient.PublishProgress) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    _ = Descriptor.write(Array("\(text(progress))\n".utf8), to: STDERR_FILENO)
  }

  static func text(_ progress: HostClient.PublishProgress) -> String {
    switch progress {
    case .waiting(let before): "waiting for \(before) \(before == 1 ? "check" : "checks") of other files"
    case .checking: "the host checks the file"
    }
  }
}
#endif
