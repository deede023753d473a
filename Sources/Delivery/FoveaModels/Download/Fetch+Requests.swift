// SPDX-License-Identifier: Apache-2.0

extension Fetch {
  /// Requests the file, with retries, until it is complete.
  func download(_ address: DownloadAddress) async throws(ModelStoreError) -> Outcome {
    // A server whose content is unchanged need not send it again.
    let known = request.published == nil && present?.url == address.shown ? present?.validator : nil
    var attempt = 0
    var mayContinue = !address.allowsFile
    while true {
      attempt += 1
      // Without a checksum, only the server's tag shows what the bytes belong to.
      if !mayContinue || request.sha256 == nil && part.tag?.read() == nil {
        try part.tag?.remove()
        try part.restart()
      }
      if let byteCount = request.byteCount { try checkSpace(for: byteCount - part.count) }
      let reply = Reply(to: self)
      var transfer = settings.transfer(address)
      transfer.offset = reply.offset
      transfer.ifRange = reply.ifRange
      transfer.unlessSame = known
      let end = try await transfer.run(filling: reply)
      guard !Task.isCancelled else { throw .cancelled }
      if let failure = reply.failure { throw failure }
      // 416: the server has no bytes after those of the partial file.
      if reply.offset > 0, end.head.status == 416 || reply.needsRestart {
        mayContinue = false
        continue
      }
      if end.head.status == 304, reply.offset == 0, known?.condition != nil { return .unchanged }
      let failure: ModelStoreError
      if let found = end.failure(at: address) {
        if request.published != nil, end.head.status == 400 { return .expired(found) }
        guard end.isTransient else { throw found }
        failure = found
      } else {
        try reply.begin(end.head)
        guard let shortage = reply.shortage(at: address) else { return .complete(end.head.validator) }
        failure = shortage
      }
      mayContinue = !address.allowsFile
      try await settings.pause(after: attempt, end.head, failure: failure) {
        progress(DownloadProgress(phase: .retrying, bytesDone: part.count, bytesTotal: request.byteCount))
      }
    }
  }
}
