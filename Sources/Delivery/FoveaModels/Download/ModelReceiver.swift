// SPDX-License-Identifier: Apache-2.0

/// Puts the body of an answer into the part file, if it is what was asked for.
///
/// SAFETY of `@unchecked Sendable`: it has one user at a time, the transfer's thread while the transfer runs, and the
/// task that waits for it before and after.
final class ModelReceiver: HTTPTransfer.Receiver, @unchecked Sendable {
  private let part: PartFile
  private let offset: Int
  /// The size of the whole file; nil where it is not known.
  private(set) var total: Int?
  /// Where the tag of what is in the part is kept, and what it was when the request was sent.
  private let tag: PartTag?
  private let ifRange: String?
  private let limit: Int
  /// Throws where so many bytes more do not fit.
  private let makeRoom: (Int) throws(ModelStoreError) -> Void
  private let progress: (DownloadProgress) -> Void

  private(set) var failure: ModelStoreError?
  /// Whether the answer had another place or length than what is there, so that everything has to be asked for again.
  private(set) var needsRestart = false
  private var hasBegun = false
  private var isIgnored = false

  init(
    part: PartFile, total: Int?, tag: PartTag? = nil, limit: Int,
    makeRoom: @escaping (Int) throws(ModelStoreError) -> Void = { _ in },
    progress: @escaping (DownloadProgress) -> Void
  ) {
    self.part = part
    offset = part.count
    self.total = total
    self.tag = tag
    ifRange = part.count > 0 ? tag?.read() : nil
    self.limit = limit
    self.makeRoom = makeRoom
    self.progress = progress
  }

  func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool {
    do throws(ModelStoreError) {
      try begin(head)
      guard !isIgnored else { return false }
      let most = total ?? limit
      guard part.count + bytes.count <= most else {
        throw Self.wrongSize("more than \(most)", expected: total.map { "\($0)" } ?? "\(limit) at most", head)
      }
      try part.append(bytes)
      progress(DownloadProgress(phase: .transferring, bytesDone: part.count, bytesTotal: total))
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
    switch head.status {
    case 206 where offset > 0:
      // A server that does not know If-Range may send the rest of something else.
      let isSame = ifRange.flatMap { tag in head.strongETag.map { $0 == tag } } ?? true
      guard head.contentRange?.first == offset, isSame else {
        needsRestart = true
        isIgnored = true
        return
      }
      if let strongETag = head.strongETag { tag?.write(strongETag) }
      try expect(head.contentRange?.total, head)
    case 200, 0:
      // The server ignores ranges, or the content is not what it was: everything comes again.
      // Between the two the part has no tag: at no moment it has the tag of another content.
      tag?.remove()
      if offset > 0 { try part.restart() }
      if let strongETag = head.strongETag { tag?.write(strongETag) }
      try expect(head.contentLength, head)
    default: isIgnored = true
    }
  }

  private func expect(_ announced: Int?, _ head: HTTPHead) throws(ModelStoreError) {
    guard let announced else { return }
    if let total, total != announced { throw Self.wrongSize("\(announced)", expected: "\(total)", head) }
    guard announced <= limit else {
      throw Self.wrongSize("\(announced)", expected: "\(limit) at most", head)
    }
    if total == nil { try makeRoom(announced - part.count) }
    total = announced
  }

  private static func wrongSize(_ actual: String, expected: String, _ head: HTTPHead) -> ModelStoreError {
    ModelStoreError(
      .wrongSize, "The server sends \(actual) bytes instead of \(expected)\(kind(head))",
      remedy: remedy(head))
  }

  /// What the content seems to be, where that explains something.
  static func kind(_ head: HTTPHead) -> String { head.contentType == "text/html" ? ", a web page" : "" }

  static func remedy(_ head: HTTPHead) -> Advice {
    head.contentType == "text/html"
      ? "Open the address in a browser: the network may ask you to log in first"
      : "Download it again later, or name another host with \(term: .modelHost)"
  }
}
