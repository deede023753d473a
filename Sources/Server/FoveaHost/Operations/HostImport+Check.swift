// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostImport {
  /// Compares every file with size and SHA-256 in the manifest, before one of them is published; a folder without a
  /// manifest has none.
  /// - Throws: `corrupted` for another file than the manifest names; `invalid` for one that cannot be read.
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
    do throws(SystemError) { found = try sums() } catch {
      throw HostError(
        .invalid, "'\(path.printable)' of the manifest cannot be read: \(error.message)",
        remedy: "Export the models again; nothing has been published")
    }
    guard found.sha256 != sha256 || found.size != size else { return }
    throw HostError(
      .corrupted,
      "'\(path.printable)' is not the file that the manifest names: it has \(found.size) bytes and the SHA-256 "
        + "\(found.sha256), not \(size) bytes and \(sha256)",
      remedy: "Export the models again; nothing has been published")
  }

  private func sums() throws(SystemError) -> FinishedBlob {
    // A pipe of that name must not hold the program.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { Descriptor.close(descriptor) }
    return try BlobSums.reading(descriptor).finished
  }
}
#endif
