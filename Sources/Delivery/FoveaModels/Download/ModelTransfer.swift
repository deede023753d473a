// SPDX-License-Identifier: Apache-2.0

/// Brings what was ordered into a part, and verifies it.
struct ModelTransfer {
  /// How a transfer ended.
  enum Outcome {
    /// Everything is in the part, and it is what was ordered.
    case arrived(ModelRecord)
    /// The source has nothing else than the model that is there.
    case unchanged
    /// The address is too old; what has arrived is kept.
    case expired(ModelStoreError)
  }

  let order: ModelOrder
  /// The model in use; nil where there is none that is whole.
  let present: InstalledModel?
  let layout: StoreLayout
  let settings: TransferSettings
  let progress: @Sendable (DownloadProgress) -> Void
  /// Where the server's tag for the part is kept; nil where nothing is kept.
  let tagPath: String?

  /// Fills the part and verifies it; one that is not what was ordered is removed.
  func run(_ part: PartFile) async throws(ModelStoreError) -> Outcome {
    // A server cannot continue what is as long as the whole, or longer.
    if let total = order.byteCount, part.count > total { try part.restart() }
    var hasOldBytes = part.count > 0
    while true {
      let validator: HTTPValidator
      switch try await fill(part) {
      case .filled(let found): validator = found
      case .unchanged: return .unchanged
      case .expired(let failure): return .expired(failure)
      }
      progress(DownloadProgress(phase: .verifying, bytesDone: part.count, bytesTotal: part.count))
      do throws(ModelStoreError) {
        let sha256 = try await BlockingWork.run { _ throws(ModelStoreError) in try verify(part) }
        return .arrived(order.record(bytes: part.count, sha256: sha256, validator: validator))
      } catch {
        guard error.code == .wrongChecksum, hasOldBytes else {
          try discard(part)
          throw error
        }
        // The old and the new bytes may be of different files: once more, from the beginning.
        try part.restart()
        hasOldBytes = false
      }
    }
  }

  /// Removes the part and what belongs to it.
  func discard(_ part: PartFile) throws(ModelStoreError) {
    if let tagPath { try FileSystem.remove(tagPath) }
    try FileSystem.remove(part.path)
  }

  /// Compares with the checksum where one is known, and checks that it is a model unless that was done before.
  /// - Returns: The SHA-256.
  private func verify(_ part: PartFile) throws(ModelStoreError) -> String {
    let sha256 = try part.finish()
    if let expected = order.sha256, sha256 != expected {
      throw ModelStoreError(
        .wrongChecksum,
        "What \(order.shown) sent is not the model: its SHA-256 is \(sha256) instead of \(expected)",
        remedy:
          "Download it again later, or name another host with \(term: .modelHost); nothing was installed")
    }
    if !order.isTrusted, sha256 != present?.sha256 {
      try ModelContent.check(part.path, source: order.shown)
    }
    return sha256
  }

  private enum Filling {
    case filled(HTTPValidator)
    case unchanged
    case expired(ModelStoreError)
  }

  /// Fetches what the part lacks.
  private func fill(_ part: PartFile) async throws(ModelStoreError) -> Filling {
    switch order.source {
    case .web(let address):
      if part.count > 0, part.count == order.byteCount { return .filled(HTTPValidator()) }
      let filler = PartFiller(
        address: address, byteCount: order.byteCount, tagPath: tagPath,
        isChecksumKnown: order.sha256 != nil, mayExpire: order.published != nil,
        unlessSame: order.published == nil && present?.url == address.shown ? present?.validator : nil,
        settings: settings, folder: layout.partialFolder, root: layout.root, progress: progress)
      let answer = try await filler.fill(part)
      if let failure = answer.expired { return .expired(failure) }
      return answer.isUnchanged ? .unchanged : .filled(answer.head.validator)
    case .file(let path):
      if let tagPath { try FileSystem.remove(tagPath) }
      let copy = FileCopy(
        file: path, name: order.name, layout: layout, settings: settings, progress: progress)
      let isNew = try await BlockingWork.run { stop throws(ModelStoreError) in
        try copy.run(part, present, stop)
      }
      return isNew ? .filled(HTTPValidator()) : .unchanged
    }
  }
}
