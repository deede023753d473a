// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaInference

/// Finishes a command: output on standard output, or one line on standard error and exit code 1.
enum CommandEnd {
  static func onFailure(_ body: () async throws(HostError) -> Void) async throws(ExitCode) {
    do throws(HostError) { try await body() } catch { throw report(error) }
  }

  /// Prints the result of `body`.
  static func printing<Code>(_ body: () async throws(Failure<Code>) -> String) async throws(ExitCode) {
    let text: String
    do throws(Failure<Code>) { text = try await body() } catch { throw report(error) }
    try await onFailure { () throws(HostError) in try print(text) }
  }

  /// Prints the error's line and returns the exit code.
  static func report<Code>(_ error: Failure<Code>) -> ExitCode {
    line(
      (error.subject.map { "\($0.printable): " } ?? "")
        + "\(error.message.printable.sentence) \(error.remedy.served.sentence)")
  }

  static func line(_ text: String) -> ExitCode {
    warn(text)
    return ExitCode(1)
  }

  /// Fails a command that copied a host with problems, such as missing or damaged files.
  static func check(copied faults: [FolderFault], from folder: String) throws(ExitCode) {
    guard !faults.isEmpty else { return }
    for fault in faults { warn(fault.text.printable.sentence) }
    throw line(copyRemedy(faults.count(where: \.isOfFile), from: folder))
  }

  /// Returns the summary of a copy with problems and the remedies; `count` is the number of missing files.
  static func copyRemedy(_ count: Int, from folder: String) -> String {
    let remedy =
      switch count {
      case 0: "The copy has the same damage. Restore an older backup"
      case 1: "The copy lacks 1 file. Publish it again or restore a backup"
      default: "The copy lacks \(DecimalText.grouped(count)) files. Publish them again or restore a backup"
      }
    return "\(remedy). To list all problems, run fovea host fsck \(folder.shellPath.printable)."
  }

  /// Prints one line on standard error; the command continues.
  static func warn(_ text: String) { _ = Descriptor.write(Array("fovea: \(text)\n".utf8), to: STDERR_FILENO) }

  /// Writes to standard output; a reader that has closed it is not an error.
  static func print(_ text: String) throws(HostError) {
    if let number = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO).error, number != EPIPE {
      throw HostError(
        .unavailable, "Standard output cannot be written: \(systemMessage(number))",
        remedy: "Free some disk space")
    }
  }
}

/// The system's clock.
enum SystemClock {
  static let now: Now = { Timestamp(milliseconds: WallClock.milliseconds) }
}
#endif
