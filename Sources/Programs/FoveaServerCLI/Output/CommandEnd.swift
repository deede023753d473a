// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaInference

/// How a command ends: output on standard output, or one line on standard error and exit code 1.
enum CommandEnd {
  static func onFailure(_ body: () async throws(HostError) -> Void) async throws(ExitCode) {
    do throws(HostError) { try await body() } catch { throw report(error) }
  }

  /// Prints what `body` returns.
  static func printing<Code>(_ body: () async throws(Failure<Code>) -> String) async throws(ExitCode) {
    let text: String
    do throws(Failure<Code>) { text = try await body() } catch { throw report(error) }
    try await onFailure { () throws(HostError) in try print(text) }
  }

  /// Prints the line of an error, and gives the code to exit with.
  static func report<Code>(_ error: Failure<Code>) -> ExitCode {
    line(
      (error.subject.map { "\($0.printable): " } ?? "")
        + "\(error.message.printable.sentence) \(error.remedy.served.sentence)")
  }

  static func line(_ text: String) -> ExitCode {
    warn(text)
    return ExitCode(1)
  }

  /// Ends a command that has copied a host with something wrong in it, as without the files that are missing or damaged.
  static func check(copied faults: [FolderFault], from folder: String) throws(ExitCode) {
    guard !faults.isEmpty else { return }
    for fault in faults { warn(fault.text.printable.sentence) }
    throw line(
      "\(copyRemedy(faults.count(where: \.isOfFile))). See all that is wrong, with the host stopped: "
        + "fovea host fsck \(folder.shellPath.printable).")
  }

  /// The end of a copy with faults, with what to do; `count` is the number of its missing files.
  static func copyRemedy(_ count: Int) -> String {
    switch count {
    case 0: "The copy has the same damage. Restore an older backup"
    case 1: "The copy lacks 1 file. Publish it again or restore a backup"
    default:
      "The copy lacks \(DecimalText.grouped(count)) files. Publish them again or restore a backup"
    }
  }

  /// One line on standard error, after which the command goes on.
  static func warn(_ text: String) { _ = Descriptor.write(Array("fovea: \(text)\n".utf8), to: STDERR_FILENO) }

  /// Writes to standard output; a reader that has gone has what it wanted.
  static func print(_ text: String) throws(HostError) {
    if let number = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO).error, number != EPIPE {
      throw HostError(
        .unavailable, "Standard output cannot be written: \(systemMessage(number))",
        remedy: "Make room for it")
    }
  }
}

/// The system's clock.
enum SystemClock {
  static let now: Now = { Timestamp(milliseconds: WallClock.milliseconds) }
}
#endif
