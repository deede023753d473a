// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// One request to a service and its answer in memory, for programs that are a service's client.
///
/// Redirects are not followed: a request carries a key, which is for the address that was named.
package struct HTTPExchange: Sendable {
  /// What is sent.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(String)
  }

  /// What came of it.
  package enum Answer: Sendable {
    case reply(status: Int, body: [UInt8])
    /// No reply came, for the reason that libcurl gives; `isSent` if the whole request may have reached the server.
    case failed(String, isSent: Bool)
  }

  /// `http://` or `https://`.
  package var url: String
  package var method: String
  /// Whole lines.
  package var headers: [String] = []
  package var body = Body.none
  /// The most bytes of an answer.
  package var limit = 64 << 20
  /// How long nothing may be sent or come: a host may take half a minute to run a model.
  package var stallTimeout = Duration.seconds(120)
  /// nil for the environment's.
  package var proxy: String?

  package init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }

  /// Sends it, and waits for the answer; a cancelled task ends it within a tenth of a second.
  /// - Throws: `libraryMissing`, `cancelled`; `invalidOption` if the file cannot be read, or not to the end that it had.
  package func run() async throws(TransferError) -> Answer {
    let address = DownloadAddress(
      url: url, allowsHTTP: url.lowercased().hasPrefix("http://"), allowsFile: false)
    var transfer = HTTPTransfer(
      address: address, connectTimeout: .seconds(30), stallTimeout: stallTimeout, proxy: proxy)
    transfer.method = method == "GET" || method == "POST" ? nil : method
    // Nothing waits for permission to send: a server that refuses answers while it is sent.
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
    // A server may refuse a body before it has all of it, and close the connection.
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

  /// A file that is open as long as its owner lives.
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
          remedy: "Name a file that can be read")
      }
      size = status.size
    }

    deinit { close(descriptor) }
  }
}

extension HTTPTransfer.Outcome {
  /// Whether the whole answer came.
  fileprivate var isComplete: Bool { result == .ok && head.status > 0 }
}
