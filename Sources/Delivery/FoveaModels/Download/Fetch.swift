// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Fetches a file into a partial file, from the web or a local folder, and verifies it.
struct Fetch: Sendable {
  /// The outcome of a fetch.
  enum Outcome {
    /// The partial file is complete; the validator is the source's for this content.
    case complete(HTTPValidator)
    /// The source has the same content as the installed model.
    case unchanged
    /// The address has expired; the partial file is kept.
    case expired(ModelStoreError)
  }

  let request: InstallRequest
  /// The model in use; nil if there is none, or it is damaged.
  let present: InstalledModel?
  let part: PartialFile
  let layout: StoreLayout
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void

  /// Fetches the missing bytes and verifies the whole file; a wrong file is removed.
  func run() async throws(ModelStoreError) -> Outcome {
    // A partial file that is longer than the whole cannot be resumed.
    if let total = request.byteCount, part.count > total { try part.restart() }
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
        // The old and new bytes may be from different files: try once more from the start.
        try part.restart()
        hasOldBytes = false
      }
    }
  }

  private func fill() async throws(ModelStoreError) -> Outcome {
    switch request.source {
    case .web(let address):
      if part.count > 0, part.count == request.byteCount { return .complete(HTTPValidator()) }
      return try await download(address)
    case .file(let path):
      try part.tag?.remove()
      let isNew = try await BlockingWork.run { stop throws(ModelStoreError) in try copy(path, stop) }
      return isNew ? .complete(HTTPValidator()) : .unchanged
    }
  }

  /// Verifies the checksum if it is known, and that the file is a model unless it was checked before.
  private func verify() throws(ModelStoreError) {
    try part.flush()
    let sha256 = part.sha256
    if let expected = request.sha256, sha256 != expected {
      throw ModelStoreError(
        .wrongChecksum,
        "The file from \(request.shown) is not the model: its SHA-256 is \(sha256) instead of \(expected)",
        remedy:
          "Download it again later, or set another host with \(term: .modelHost); nothing was installed")
    }
    if !request.isTrusted, sha256 != present?.sha256, let fault = try ModelContent.fault(inFile: part.path) {
      throw ModelStoreError(
        .invalidModel, "The file from \(request.shown) is not a usable model: \(fault)",
        remedy: "Publish the .tflite file again and download it again; the installed version is kept")
    }
  }

  /// Verifies the free space.
  /// - Throws: `diskFull` if `count` more bytes do not fit.
  func checkSpace(for count: Int) throws(ModelStoreError) {
    guard let free = settings.freeBytes(layout.partialFolder), free < count else { return }
    throw ModelStoreError(
      .diskFull,
      "The download needs \(DecimalText.bytes(count)), but '\(layout.root)' has only "
        + "\(DecimalText.bytes(free)) free",
      remedy: "Free some space, or set FOVEA_MODELS to another folder")
  }

  // MARK: Folders

  /// Copies a local file, unless it has the bytes of the installed model.
  /// - Returns: Whether the file was copied.
  /// - Throws: `notFound`, `wrongSize`, `diskFull`, `cancelled`, `storeUnreadable`, `storeUnwritable`.
  private func copy(_ file: String, _ stop: BlockingWork.StopFlag) throws(ModelStoreError) -> Bool {
    let missing = ModelStoreError(
      .notFound, "There is no file '\(file)'",
      remedy: "Put the model there, or correct \(term: .modelHost)")
    guard let size = FileSystem.size(of: file) else { throw missing }
    if let present, present.byteCount == size, try FileSystem.sha256(of: file) == present.sha256 {
      return false
    }
    try part.restart()
    try checkSize(size, of: file)
    try checkSpace(for: size)
    let isThere = try FileSystem.read(file) { bytes throws(ModelStoreError) in
      guard !stop.isSet else { throw .cancelled }
      // The file may grow while it is read.
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
      remedy: "Check that the file is the model")
  }
}
