// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostImport {
  /// Compares every file with the size and SHA-256 in the manifest before any is published; files without a
  /// manifest are not compared.
  /// - Throws: `corrupted` for a file that differs from the manifest; `invalid` for a file that cannot be
  ///   read.
  package func check() throws(HostError) {
    for model in models {
      for file in model.files { try file.check() }
    }
  }
}

extension HostImport.File {
  fileprivate func check() throws(HostError) {
    guard let sha256, let size else { return }
    let found: FinishedBlob
    do throws(SystemError) { found = try BlobSums.reading(file: path).finished } catch {
      throw HostError(
        .invalid, "'\(path.printable)' of the manifest cannot be read: \(error.message)",
        remedy: "Export the models again; nothing has been published")
    }
    guard found.sha256 != sha256 || found.size != size else { return }
    throw HostError(
      .corrupted,
      "'\(path.printable)' does not match the manifest: it has \(found.size) bytes and the SHA-256 "
        + "\(found.sha256), not \(size) bytes and \(sha256)",
      remedy: "Export the models again; nothing has been published")
  }
}
#endif
