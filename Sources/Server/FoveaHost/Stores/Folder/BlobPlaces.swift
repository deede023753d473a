// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The paths of a blob store's files.
struct BlobPlaces: Sendable {
  /// `blobs/sha256`; below it `aa/bb…`: two digits of the name, then the others.
  let blobs: String
  /// `uploads`, in the same file system.
  let uploads: String

  init(folder: String) {
    blobs = folder + "/blobs/sha256"
    uploads = folder + "/uploads"
  }

  /// - Returns: Nil for anything but a SHA-256: no name that a client sends becomes a path.
  func blob(_ sha256: String) -> (folder: String, path: String)? {
    guard sha256.isSHA256 else { return nil }
    let folder = "\(blobs)/\(sha256.prefix(2))"
    return (folder, "\(folder)/\(sha256.dropFirst(2))")
  }

  /// - Returns: Nil for anything but 32 hexadecimal digits.
  func upload(_ name: String) -> String? {
    guard name.isLowerHexadecimal(32) else { return nil }
    return "\(uploads)/\(name)"
  }

  /// Returns a name that cannot be guessed.
  static func newUploadName() -> String { Hexadecimal.random(byteCount: 16) }
}
#endif
