// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A problem with a host's folder.
package struct FolderFault: Sendable, Equatable {
  /// A sentence that contains no path.
  package let text: String
  /// Whether it has been repaired completely.
  package let isRepaired: Bool
  /// Whether it is a file missing from a copy.
  package let isOfFile: Bool

  package init(_ text: String, isRepaired: Bool = false, isOfFile: Bool = false) {
    self.text = text
    self.isRepaired = isRepaired
    self.isOfFile = isOfFile
  }
}

/// The damage to a published file, compared with the database.
enum BlobFault: String, Error {
  case missing, damaged
  /// Something else has its name; the host does not follow a link, or wait for the writer of a pipe.
  case link = "a link"
  case folder = "a folder"
  case special = "a pipe, a socket or a device"

  /// Creates the damage from an error of ``BlobStore/localCopy(of:)``; nil for another error.
  init?(_ error: HostError) {
    guard error.code == .notFound else { return nil }
    self = error.cause as? BlobFault ?? .missing
  }

  /// Returns the sentence about a version with such a file.
  func text(_ number: Int, of model: HostModel) -> String {
    "model '\(model.name)': the file of version \(number) is \(rawValue)"
  }
}

extension BlobStore {
  /// Reads a whole blob.
  /// - Returns: The damage; nil if size and SHA-256 are as expected.
  /// - Throws: `unavailable` if the store cannot be read.
  func fault(of sha256: String) async throws(HostError) -> BlobFault? {
    do throws(HostError) { return try await isIntact(sha256) ? nil : .damaged } catch {
      if let fault = BlobFault(error) { return fault }
      guard error.isOfDamagedDisk else { throw error }
      return .damaged
    }
  }
}

extension HostError {
  /// Whether the disk cannot read its own bytes: other files may be intact.
  var isOfDamagedDisk: Bool { (cause as? SystemError)?.number == EIO }
}
#endif
