// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Fetches a file into a partial file, from the web or from a folder of this machine, and verifies it.
struct Fetch: Sendable {
  /// The end of a fetch.
  enum Outcome {
    /// Everything is in the partial file; the source identifies the content by this.
    case complete(HTTPValidator)
    /// The source has only the model that is there.
    case unchanged
    /// The address has expired; what has arrived is kept.
    case expired(ModelStoreError)
  }

  let order: ModelOrder
  /// The model in use; nil if there is none that is whole.
  let present: InstalledModel?
  let part: PartialFile
  let layout: StoreLayout
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Fetches what is missing and verifies the whole; a file that is not what was ordered is removed.
  func run() async throws(ModelStoreError) -> Outcome {
    // A server cannot continue what is as long as the whole, or longer.
    if let total = order.byteCount, part.count > total { try part.restart() }
    var hasOldBytes = part.count > 0
    while true {
      let outcome = try await fill()
      guard case .complete = outcome else { return outcome }
      progress(DownloadProgress(phase: .verifying, bytesDone: part.count, bytesTotal: part.count))
      do throws(ModelStoreError) {
        try await BlockingWork.run { _ throws(ModelStoreError) in try verify() }
        return outcome
      } catch {
        guard error.code == .wrongChecksum, hasOldBytes else {
          try part.discard()
          throw error
        }
        // The old and the new bytes may be of different files: once more, from the beginning.
        try part.restart()
        hasOldBytes = false
      }
    }
  }

  private func fill() async throws(ModelStoreError) -> Outcome {
    switch order.source {
    case .web(let address):
      if part.count > 0, part.count == order.byteCount { return .complete(HTTPValidator()) }
      return try await request(address)
    case .file(let path):
      try part.tag?.remove()
      let isNew = try await BlockingWork.run { stop throws(ModelStoreError) in try copy(path, stop) }
      return isNew ? .complete(HTTPValidator()) : .unchanged
    }
  }

  /// Compares with the checksum if one is known, and checks that it is a model unless that was done before.
  private func verify() throws(ModelStoreError) {
    try part.flush()
    let sha256 = part.sha256
    if let expected = order.sha256, sha256 != expected {
      throw ModelStoreError(
        .wrongChecksum,
        "What \(order.shown) sent is not the model: its SHA-256 is \(sha256) instead of \(expected)",
        remedy:
          "Download it again later, or name another host with \(term: .modelHost); nothing was installed")
    }
    if !order.isTrusted, sha256 != present?.sha256, let fault = try ModelContent.fault(inFile: part.path) {
      throw ModelStoreError(
        .invalidModel, "What \(order.shown) gave is not a model that can be used: \(fault)",
        remedy: "Publish the .tflite file again and download it again; what was there before is kept")
    }
  }

  /// - Throws: `diskFull` if `count` more bytes do not fit.
  func checkSpace(for count: Int) throws(ModelStoreError) {
    guard let free = settings.freeBytes(layout.partialFolder), free < count else { return }
    throw ModelStoreError(
      .diskFull,
      "\(DecimalText.bytes(count)) are to come, and '\(layout.root)' has room for \(DecimalText.bytes(free))",
      remedy: "Free some space, or name another folder in FOVEA_MODELS")
  }

  // MARK: Folders

  /// Copies a file of this machine, unless it has the bytes of the model that is there.
  /// - Returns: Whether there was something to copy.
  /// - Throws: `notFound`, `wrongSize`, `diskFull`, `cancelled`, `storeUnreadable`, `storeUnwritable`.
  private func copy(_ file: String, _ stop: BlockingWork.StopFlag) throws(ModelStoreError) -> Bool {
    let missing = ModelStoreError(
      .notFound, "There is no file '\(file)'",
      remedy: "Put the model there, or correct ModelManager.host or \(HostAddress.variable)")
    guard let size = FileSystem.size(of: file) else { throw missing }
    if let present, present.byteCount == size, try FileSystem.sha256(of: file) == present.sha256 {
      return false
    }
    try part.restart()
    try checkSize(size, of: file)
    try checkSpace(for: size)
    let isThere = try FileSystem.read(file) { bytes throws(ModelStoreError) in
      guard !stop.isSet else { throw .cancelled }
      // It may grow while it is read.
      try checkSize(part.count + bytes.count, of: file)
      try part.append(bytes)
      progress(
        DownloadProgress(phase: .transferring, bytesDone: part.count, bytesTotal: max(size, part.count)))
    }
    guard isThere else { throw missing }
    return true
  }

  private func checkSize(_ count: Int, of file: String) throws(ModelStoreError) {
    let limit = settings.options.sizeLimit
    guard count > limit else { return }
    throw ModelStoreError(
      .wrongSize, "'\(file)' has \(count) bytes instead of \(limit) at most",
      remedy: "Check that it is the model")
  }
}
