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
  private let limit: Int
  private let progress: (DownloadProgress) -> Void

  private(set) var failure: ModelStoreError?
  /// Whether the answer had another place or length than what is there, so that everything has to be asked for again.
  private(set) var needsRestart = false
  private var hasBegun = false
  private var isIgnored = false

  init(
    part: PartFile, total: Int?, limit: Int, progress: @escaping (DownloadProgress) -> Void
  ) {
    self.part = part
    offset = part.count
    self.total = total
    self.limit = limit
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

  /// Looks at the headers, before the first byte of the body or, where there is none, at the end.
  func begin(_ head: HTTPHead) throws(ModelStoreError) {
    guard !hasBegun else { return }
    hasBegun = true
    switch head.status {
    case 206 where offset > 0:
      guard head.contentRange?.first == offset else {
        needsRestart = true
        isIgnored = true
        return
      }
      try expect(head.contentRange?.total, head)
    case 200, 0:
      // The server ignores ranges, or the content is not what it was: everything comes again.
      if offset > 0 { try part.restart() }
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
    total = announced
  }

  private static func wrongSize(_ actual: String, expected: String, _ head: HTTPHead) -> ModelStoreError {
    ModelStoreError(
      .wrongSize, "The server sends \(actual) bytes instead of \(expected)\(kind(head))",
      remedy: remedy(head))
  }

  /// What the content seems to be, where that explains something.
  static func kind(_ head: HTTPHead) -> String { head.contentType == "text/html" ? ", a web page" : "" }

  static func remedy(_ head: HTTPHead) -> String {
    head.contentType == "text/html"
      ? "Open the address in a browser: the network may ask you to log in first"
      : "Pull again later, or from another host with --host"
  }
}
