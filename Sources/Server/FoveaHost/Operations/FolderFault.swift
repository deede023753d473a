// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A fault of a host's folder.
package struct FolderFault: Sendable, Equatable {
  /// A sentence, in no case with a path.
  package let text: String
  /// Whether nothing is left of it.
  package let isRepaired: Bool
  /// Whether it is a file that a copy lacks.
  package let isOfFile: Bool

  package init(_ text: String, isRepaired: Bool = false, isOfFile: Bool = false) {
    self.text = text
    self.isRepaired = isRepaired
    self.isOfFile = isOfFile
  }
}

/// The state of a published file that is not as the database has it.
enum BlobFault: String, Sendable {
  case missing, damaged

  /// The sentence about a version with such a file.
  func text(_ number: Int, of model: HostModel) -> String {
    "model '\(model.name)': the file of version \(number) is \(rawValue)"
  }
}

extension BlobStore {
  /// Reads a blob whole.
  /// - Returns: Its fault; nil where size and SHA-256 are those that it should have.
  /// - Throws: `unavailable` where the store cannot be read.
  func fault(of sha256: String) throws(HostError) -> BlobFault? {
    do throws(HostError) { return try isIntact(sha256) ? nil : .damaged } catch {
      guard error.code != .notFound else { return .missing }
      guard error.isOfDamagedDisk else { throw error }
      return .damaged
    }
  }
}

extension HostError {
  /// Whether the disk cannot read its own bytes: other files may be well.
  var isOfDamagedDisk: Bool { (cause as? SystemError)?.number == EIO }
}
#endif
