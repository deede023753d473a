// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Small files that only their owner may read: keys.
package enum SecretFile {
  /// Writes a file atomically: a kill or a power failure leaves the old content or the new.
  ///
  /// No other user can ever read it, independent of the process's mask.
  package static func write(_ text: String, to path: String) throws(HostError) {
    do throws(SystemError) { try ReplacedFile.write(text.utf8, to: path, isPrivate: true) } catch {
      throw failure("written", path, error)
    }
  }

  /// Creates an empty file for a later secret.
  /// - Throws: `folder` if the name is taken; `unavailable`, `disk-full`.
  package static func reserve(_ path: String) throws(HostError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor < 0 else { return Descriptor.close(descriptor) }
    guard errno != EEXIST else {
      throw HostError(
        .folder, "'\(path.printable)' already exists", remedy: "Choose a new file name")
    }
    throw failure("written", path, SystemError(errno))
  }

  /// Undoes ``reserve(_:)``.
  package static func discard(_ path: String) { unsafe unlink(path) }

  /// Checks that only its owner can read a secret.
  /// - Throws: `folder` if others can read it too.
  package static func check(_ path: String) throws(HostError) {
    guard let status = FileStatus(FilePath(path)), status.permissions & 0o077 != 0 else { return }
    throw HostError(
      .folder, "Other users can read the secret file '\(path.printable)'",
      remedy: "Restrict it to its owner: chmod 600")
  }

  /// Returns the content of a file of at most 1 MiB.
  /// - Throws: `folder` if others can read it too.
  package static func read(_ path: String) throws(HostError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 20) } catch {
      throw failure("read", path, error)
    }
    try check(path)
    return bytes
  }

  private static func failure(_ what: String, _ path: String, _ error: SystemError) -> HostError {
    HostError(
      error.isFull ? .diskFull : .unavailable, "'\(path)' cannot be \(what): \(error.message)",
      remedy: error.isFull ? "Free some space on its disk" : "Check that it exists, and check its permissions"
    )
  }
}
#endif
