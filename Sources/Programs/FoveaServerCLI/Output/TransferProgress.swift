// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

/// The progress of an import, to report if a signal ends it.
struct ImportProgress {
  /// The end of a file or template that is not refused.
  enum End {
    case imported
    /// The host has it already.
    case known
    /// The host has another one in its place, which stays.
    case left
  }

  /// The number of files and templates.
  let count: Int
  private var done = 0
  /// The number of files and templates that the host has already.
  private var known = 0
  /// The paths that are not imported, in the order of the import.
  private var left: [String] = []
  private var hasRefused = false

  init(count: Int) { self.count = count }

  /// Imports one more, unless a signal has come.
  ///
  /// The error of a refused file is reported, and does not stop the import.
  /// - Parameters:
  ///   - path: The path of the file or template.
  ///   - body: Imports it and returns its end; throws `cancelled` after a timely signal.
  ///   - isCancelled: Whether a signal has come.
  ///   - report: Prints the error of a refused file.
  /// - Throws: The errors of `body` that are not about one file; `cancelled`, with the number imported and
  ///   the remedy.
  mutating func step(
    _ path: String, _ body: () async throws(HostError) -> End,
    isCancelled: () -> Bool = { Interrupt.isRequested },
    report: (HostError) -> Void = { _ = CommandEnd.report($0) }
  ) async throws(HostError) {
    guard !isCancelled() else { throw cancelled }
    do throws(HostError) {
      switch try await body() {
      case .imported: done += 1
      case .known: known += 1
      case .left: left.append(path)
      }
    } catch {
      if error.code == .cancelled, isCancelled() { throw cancelled }
      guard Self.codesOfFiles.contains(error.code) else {
        throw HostError(
          error.code, "\(error.message). The import stopped: \(imported)", remedy: error.remedy,
          subject: error.subject, cause: error.cause)
      }
      left.append(path)
      hasRefused = true
      report(error)
    }
  }

  /// Fails if a file was refused.
  /// - Throws: `invalid`, with all that is not imported.
  func check() throws(HostError) {
    guard hasRefused else { return }
    throw HostError(
      .invalid, "\(imported); not imported: \(left.map(\.printable).joined(separator: ", "))",
      remedy: "Correct what is refused, and run the import again: existing files are not imported twice")
  }

  /// The errors about one file or template, after which the host may accept others.
  private static let codesOfFiles: [HostCode] = [
    .invalid, .corrupted, .tooLarge, .alreadyExists, .precondition, .conflict, .etagMismatch,
  ]

  private var imported: String {
    "\(DecimalText.grouped(done)) of "
      + "\(DecimalText.counted(count, "file or template was", "files and templates were")) imported"
      + (known == 0 ? "" : ", \(DecimalText.counted(known, "was", "were")) on the host already")
  }

  private var cancelled: HostError {
    HostError(
      .cancelled, "Cancelled: \(imported)",
      remedy: "Run the import again to continue: existing files are not imported twice")
  }
}

/// The progress of a copy, on a terminal.
struct CopyMeter: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func show(_ progress: HostCopy.Progress) { write("\(Self.text(progress))") }

  /// Clears the line.
  func end() { write("") }

  static func text(_ progress: HostCopy.Progress) -> String {
    "\(DecimalText.grouped(progress.files)) of "
      + "\(DecimalText.counted(progress.allFiles, "file", "files")), "
      + "\(DecimalText.bytes(Int(progress.bytes))) of \(DecimalText.bytes(Int(progress.allBytes)))"
  }

  private func write(_ line: String) {
    guard isTerminal else { return }
    _ = Descriptor.write(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
  }
}

/// The progress of a publish, on a terminal.
enum PublishMeter {
  static func show(_ progress: HostClient.PublishProgress) { show(text(progress)) }

  /// Prints one line if standard error is a terminal.
  static func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    _ = Descriptor.write(Array("\(line)\n".utf8), to: STDERR_FILENO)
  }

  static func text(_ progress: HostClient.PublishProgress) -> String {
    switch progress {
    case .waiting(let before): "waiting for \(before) \(before == 1 ? "check" : "checks") of other files"
    case .checking: "the host is checking the file"
    }
  }
}
#endif
