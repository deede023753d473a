// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Small files that only their owner may read: keys.
package enum SecretFile {
  /// Writes a file that a kill or a power failure at any moment leaves as it was, or whole.
  ///
  /// No other user can read it at any moment, whatever the process's mask is.
  package static func write(_ text: String, to path: String) throws(HostError) {
    do throws(SystemError) { try ReplacedFile.write(text.utf8, to: path, isPrivate: true) } catch {
      throw failure("written", path, error)
    }
  }

  /// Makes an empty file for a secret to come.
  /// - Throws: `folder` where something has the name; `unavailable`, `disk-full`.
  package static func reserve(_ path: String) throws(HostError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor < 0 else { return Descriptor.close(descriptor) }
    guard errno != EEXIST else {
      throw HostError(
        .folder, "'\(path.printable)' is there already", remedy: "Name a file that is not there yet")
    }
    throw failure("written", path, SystemError(errno))
  }

  /// Takes back ``reserve(_:)``.
  package static func discard(_ path: String) { unsafe unlink(path) }

  /// Checks that a secret is its owner's alone.
  /// - Throws: `folder` where others may read it, too.
  package static func check(_ path: String) throws(HostError) {
    guard let status = FileStatus(FilePath(path)), status.permissions & 0o077 != 0 else { return }
    throw HostError(
      .folder, "Other users may read the secret file '\(path.printable)'",
      remedy: "Allow it to its owner alone: chmod 600")
  }

  /// The content of a file of at most a mebibyte.
  /// - Throws: `folder` where others may read it, too.
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
      remedy: error.isFull ? "Make space on its disk" : "Check that it exists and who may use it")
  }
}
#endif
