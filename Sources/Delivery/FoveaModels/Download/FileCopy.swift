// SPDX-License-Identifier: Apache-2.0

/// Copies a model from a folder of this machine.
struct FileCopy: Sendable {
  let file: String
  let name: String
  let layout: StoreLayout
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Copies the file, unless it has the bytes of the model that is there.
  /// - Returns: Whether there was something to copy.
  /// - Throws: `notFound`, `wrongSize`, `diskFull`, `cancelled`, `storeUnreadable`, `storeUnwritable`.
  func run(
    _ part: PartFile, _ present: InstalledModel?, _ stop: BlockingWork.StopFlag
  ) throws(ModelStoreError) -> Bool {
    guard let size = FileSystem.size(of: file) else { throw missing() }
    if let present, present.byteCount == size, try FileSystem.sha256(of: file) == present.sha256 {
      return false
    }
    try part.restart()
    let limit = settings.options.sizeLimit
    guard size <= limit else { throw tooLarge(size, limit) }
    try settings.checkSpace(for: size, in: layout.partialFolder, root: layout.root)
    let isThere = try FileSystem.read(file) { bytes throws(ModelStoreError) in
      guard !stop.isSet else { throw .cancelled }
      // It may grow while it is read.
      guard part.count + bytes.count <= limit else { throw tooLarge(part.count + bytes.count, limit) }
      try part.append(bytes)
      progress(
        DownloadProgress(phase: .transferring, bytesDone: part.count, bytesTotal: max(size, part.count)))
    }
    guard isThere else { throw missing() }
    return true
  }

  private func missing() -> ModelStoreError {
    ModelStoreError(
      .notFound, "There is no file '\(file)'",
      remedy: "Put the model there, or correct ModelManager.host or \(HostAddress.variable)")
  }

  private func tooLarge(_ count: Int, _ limit: Int) -> ModelStoreError {
    ModelStoreError(
      .wrongSize, "'\(file)' has \(count) bytes instead of \(limit) at most",
      remedy: "Check that it is the model")
  }
}
