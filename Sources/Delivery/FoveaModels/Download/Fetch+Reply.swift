// SPDX-License-Identifier: Apache-2.0

extension Fetch {
  /// Writes the body of a response to the partial file, if it matches the request.
  ///
  /// SAFETY of `@unchecked Sendable`: it is used by one owner at a time: the transfer's thread during the
  /// transfer, the waiting task before and after.
  final class Reply: HTTPTransfer.Receiver, @unchecked Sendable {
    private let fetch: Fetch
    /// The first requested byte; `ifRange` is the tag of the bytes before it.
    let offset: Int
    let ifRange: String?
    /// The size of the whole file; nil if unknown.
    private var total: Int?

    private(set) var failure: ModelStoreError?
    /// Whether the answer does not match the partial file, so that the whole file must be requested again.
    private(set) var needsRestart = false
    private var hasBegun = false
    private var isIgnored = false

    init(to fetch: Fetch) {
      self.fetch = fetch
      offset = fetch.part.count
      ifRange = offset > 0 ? fetch.part.tag?.read() : nil
      total = fetch.request.byteCount
    }

    private var limit: Int { fetch.settings.options.sizeLimit }

    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool {
      do throws(ModelStoreError) {
        try begin(head)
        guard !isIgnored else { return false }
        let part = fetch.part
        let most = total ?? limit
        guard part.count + bytes.count <= most else {
          throw wrongSize("more than \(most)", expected: total.map { "\($0)" } ?? "\(limit) at most", head)
        }
        try part.append(bytes)
        fetch.progress(DownloadProgress(phase: .transferring, bytesDone: part.count, bytesTotal: total))
        return true
      } catch {
        failure = error
        return false
      }
    }

    /// Reads the headers, before the first byte of the body or, without a body, at the end.
    func begin(_ head: HTTPHead) throws(ModelStoreError) {
      guard !hasBegun else { return }
      hasBegun = true
      let tag = fetch.part.tag
      switch head.status {
      case 206 where offset > 0:
        // A server without support for If-Range may send the rest of another file.
        let isSame = ifRange.flatMap { tag in head.strongETag.map { $0 == tag } } ?? true
        guard head.contentRange?.first == offset, isSame else {
          needsRestart = true
          isIgnored = true
          return
        }
        if let strongETag = head.strongETag { tag?.write(strongETag) }
        try expect(head.contentRange?.total, head)
      case 200, 0:
        // The server ignores ranges, or the content has changed: it sends the whole file again. Meanwhile the
        // file has no tag, so that it never has the tag of other content.
        try tag?.remove()
        if offset > 0 { try fetch.part.restart() }
        if let strongETag = head.strongETag { tag?.write(strongETag) }
        try expect(head.contentLength, head)
      default: isIgnored = true
      }
    }

    /// Returns the error if less than the announced size has arrived.
    func shortage(at address: DownloadAddress) -> ModelStoreError? {
      guard let total, fetch.part.count < total else { return nil }
      return ModelStoreError(
        .interrupted, "\(address.shown) sent \(fetch.part.count) of \(total) bytes",
        remedy: .downloadAgain)
    }

    private func expect(_ announced: Int?, _ head: HTTPHead) throws(ModelStoreError) {
      guard let announced else { return }
      if let total, total != announced { throw wrongSize("\(announced)", expected: "\(total)", head) }
      guard announced <= limit else { throw wrongSize("\(announced)", expected: "\(limit) at most", head) }
      if total == nil { try fetch.checkSpace(for: announced - fetch.part.count) }
      total = announced
    }

    private func wrongSize(_ actual: String, expected: String, _ head: HTTPHead) -> ModelStoreError {
      ModelStoreError(
        .wrongSize, "The server sends \(actual) bytes instead of \(expected)\(head.pageNote)",
        remedy: .after(head))
    }
  }
}
