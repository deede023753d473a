// SPDX-License-Identifier: Apache-2.0

/// The requests that fill a part file, until everything is there.
struct PartFiller {
  let address: DownloadAddress
  /// The size of the whole, where it is known beforehand.
  let byteCount: Int?
  /// Where the server's tag for the part is kept; nil where nothing is kept.
  let tagPath: String?
  /// Whether a checksum decides in the end.
  ///
  /// Where none does, a part is continued only if the server's tag says what it belongs to.
  let isChecksumKnown: Bool
  /// Whether status 400 means that the address is too old, so that a new one has to be asked for.
  var mayExpire = false
  /// What is there already; a server that has nothing else is not asked to send it.
  var unlessSame: HTTPValidator?
  let settings: TransferSettings
  /// The folder of the part, and the one to be named where it is full.
  let folder: String
  let root: String
  let progress: @Sendable (DownloadProgress) -> Void

  struct Answer {
    /// The size of the whole, where it is known.
    var total: Int?
    /// The last answer's.
    var head: HTTPHead
    /// Whether the server has what `unlessSame` identifies; then nothing was sent.
    var isUnchanged = false
    /// Why nothing more comes from an address that is too old; what has arrived is kept.
    var expired: ModelStoreError?
  }

  /// Asks until everything is there.
  func fill(_ part: PartFile) async throws(ModelStoreError) -> Answer {
    var attempt = 0
    var mayContinue = !address.allowsFile
    while true {
      attempt += 1
      let tag = PartTag(url: address.shown, path: tagPath)
      if !mayContinue || !isChecksumKnown && tag.read() == nil {
        tag.remove()
        try part.restart()
      }
      if let byteCount { try checkSpace(byteCount - part.count) }
      var transfer = settings.transfer(address)
      transfer.offset = part.count
      transfer.ifRange = part.count > 0 ? tag.read() : nil
      transfer.unlessSame = unlessSame
      let receiver = ModelReceiver(
        part: part, total: byteCount, tag: tag, limit: settings.options.sizeLimit,
        makeRoom: checkSpace, progress: progress)
      let outcome = try await transfer.run(filling: receiver)
      guard !Task.isCancelled else { throw .cancelled }
      if let failure = receiver.failure { throw failure }
      // 416: nothing begins where our part ends.
      if transfer.offset > 0, outcome.head.status == 416 || receiver.needsRestart {
        mayContinue = false
        continue
      }
      if outcome.head.status == 304, transfer.offset == 0, unlessSame?.condition != nil {
        return Answer(total: nil, head: outcome.head, isUnchanged: true)
      }
      let failure: ModelStoreError
      if let found = outcome.failure(at: address) {
        failure = found
        if mayExpire, outcome.head.status == 400 { return Answer(head: outcome.head, expired: found) }
        guard outcome.isTransient else { throw found }
      } else {
        try receiver.begin(outcome.head)
        guard let total = receiver.total, part.count < total else {
          return Answer(total: receiver.total, head: outcome.head)
        }
        failure = ModelStoreError(
          .interrupted, "\(address.shown) sent \(part.count) of \(total) bytes",
          remedy: "Download it again; it continues where it ended")
      }
      mayContinue = !address.allowsFile
      try await settings.pause(after: attempt, outcome.head, failure: failure) {
        progress(DownloadProgress(phase: .retrying, bytesDone: part.count, bytesTotal: byteCount))
      }
    }
  }

  private func checkSpace(_ count: Int) throws(ModelStoreError) {
    try settings.checkSpace(for: count, in: folder, root: root)
  }
}
