// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// One request to a service and its answer in memory, for client programs.
///
/// Redirects are not followed: a request carries a key, which is meant only for the given address.
package struct HTTPExchange: Sendable {
  /// The body of the request.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(String)
  }

  /// The result of the request.
  package enum Answer: Sendable {
    case reply(status: Int, body: [UInt8])
    /// There was no reply, with libcurl's reason; `isSent` if the whole request may have reached the server.
    case failed(String, isSent: Bool)
  }

  /// `http://` or `https://`.
  package var url: String
  package var method: String
  /// Whole header lines.
  package var headers: [String] = []
  package var body = Body.none
  /// The maximum size of an answer in bytes.
  package var limit = 64 << 20
  /// The timeout without a byte sent or received: a host may take half a minute to run a model.
  package var stallTimeout = Duration.seconds(120)
  /// nil for the environment's.
  package var proxy: String?

  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }

  /// Sends the request and waits for the answer; cancelling the task stops it within a tenth of a second.
  /// - Throws: `libraryMissing`, `cancelled`; `invalidOption` if the file cannot be read, or not to its
  ///   original end.
  package func run() async throws(TransferError) -> Answer {
    let address = DownloadAddress(
      url: url, allowsHTTP: url.lowercased().hasPrefix("http://"), allowsFile: false)
    var transfer = HTTPTransfer(
      address: address, connectTimeout: .seconds(30), stallTimeout: stallTimeout, proxy: proxy)
    transfer.method = method == "GET" || method == "POST" ? nil : method
    // Does not wait for "100 Continue": a server that refuses the request answers during the upload.
    transfer.headers = headers + ["Expect:"]
    var file: OpenBody?
    switch body {
    case .none: if method == "POST" || method == "PUT" { transfer.body = [] }
    case .bytes(let bytes): transfer.body = bytes
    case .file(let path):
      let opened = try OpenBody(path)
      file = opened
      transfer.bodyFile = (opened.descriptor, opened.size)
    }
    let answer = try await HTTPAnswer.of(transfer, limit: limit)
    withExtendedLifetime(file) {}
    let status = answer.outcome.head.status
    // A server may refuse a body before it has received all of it, and close the connection.
    if status < 400, let fault = answer.outcome.bodyFault, case .file(let path) = body {
      throw fault.error(path)
    }
    guard answer.outcome.isComplete || status >= 400, !answer.isTooLong else {
      return .failed(
        answer.isTooLong ? "the answer has more than \(limit) bytes" : answer.outcome.message,
        isSent: answer.outcome.isSent)
    }
    return .reply(status: status, body: answer.body)
  }

  /// A file that stays open as long as its owner lives.
  private final class OpenBody: Sendable {
    let descriptor: Int32
    let size: Int

    init(_ path: String) throws(TransferError) {
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      let number = errno
      guard descriptor >= 0, let status = FileStatus(descriptor: descriptor), status.kind == .file else {
        if descriptor >= 0 { close(descriptor) }
        throw TransferError(
          .invalidOption,
          "'\(path)' cannot be sent: \(descriptor < 0 ? systemMessage(number) : "it is not a file")",
          remedy: "Choose a readable file")
      }
      size = status.size
    }

    deinit { close(descriptor) }
  }
}

extension HTTPTransfer.Outcome {
  /// Whether the whole answer arrived.
  fileprivate var isComplete: Bool { result == .ok && head.status > 0 }
}
