// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoveaCore

/// One request and its answer, on its own thread.
package struct HTTPTransfer: Sendable {
  package var address: DownloadAddress
  /// The first byte to request; 0 for the whole content.
  package var offset = 0
  /// The tag of the partial file's content; if that has changed, the server sends everything.
  package var ifRange: String?
  /// The validator of the installed content; if that is unchanged, the server answers with status 304.
  ///
  /// Used only for requests of the whole content.
  package var unlessSame: HTTPValidator?
  package var isHeadOnly = false
  /// Whole header lines, except the conditional ones.
  package var headers: [String] = []
  /// A body to POST; nil for GET.
  package var body: [UInt8]?
  /// A file to POST instead, open for reading, and its size.
  package var bodyFile: (descriptor: Int32, count: Int)?
  /// The method; nil for POST with a body and GET without one.
  package var method: String?
  package var connectTimeout: Duration
  package var stallTimeout: Duration
  /// nil for the environment's.
  package var proxy: String?
  /// The time at which the transfer is stopped; nil for never.
  package var deadline: ContinuousClock.Instant?

  package init(
    address: DownloadAddress, connectTimeout: Duration, stallTimeout: Duration, proxy: String? = nil,
    deadline: ContinuousClock.Instant? = nil
  ) {
    self.address = address
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.proxy = proxy
    self.deadline = deadline
  }

  /// The outcome of a transfer.
  package struct Outcome: Sendable {
    package var result: Ending
    package var head: HTTPHead
    /// libcurl's error message.
    package var message: String
    /// The announced length, for `file://` too.
    package var contentLength: Int?
    /// The target of a redirect that was not followed.
    package var refusedLocation: String?
    /// Whether the deadline stopped it.
    package var isLate = false
    /// Whether the whole request may have reached the server.
    package var isSent = false
    /// The fault in reading the file to send; nil if there is none.
    package var bodyFault: BodyFault?
  }

  /// Receives the answer.
  ///
  /// All calls come from the transfer's thread, one at a time.
  package protocol Receiver: AnyObject, Sendable {
    /// Receives the next bytes of the body; returns `false` to stop the transfer.
    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool
  }

  /// Runs the transfer; cancelling the task stops it within a tenth of a second.
  /// - Throws: `libraryMissing`. Every other failure is in the outcome.
  package func run(into receiver: some Receiver) async throws(TransferError) -> Outcome {
    try await BlockingWork.run { stop throws(TransferError) in
      perform(try HTTPLibrary.shared(), receiver: receiver, stop: stop)
    }
  }

  /// The header line that makes the request conditional.
  private var condition: String? {
    offset > 0 ? ifRange.map { "If-Range: \($0)" } : unlessSame?.condition
  }

  /// The state that a transfer's callbacks share; used only by its thread.
  private final class State {
    var head = HTTPHead()
    let receiver: any Receiver
    let stop: BlockingWork.StopFlag
    let deadline: ContinuousClock.Instant?
    var isLate = false

    init(receiver: any Receiver, stop: BlockingWork.StopFlag, deadline: ContinuousClock.Instant?) {
      self.receiver = receiver
      self.stop = stop
      self.deadline = deadline
    }

    func mustStop() -> Bool {
      if let deadline, ContinuousClock.now >= deadline { isLate = true }
      return isLate || stop.isSet
    }
  }

  /// Returns the environment variable that names the file of trusted certificates: `CURL_CA_BUNDLE` if it is
  /// set, as in the curl program, else `SSL_CERT_FILE`.
  ///
  /// The library itself ignores both.
  /// - Parameter value: Returns the value of a variable; nil if it is not set.
  /// - Returns: The name.
  package static func certificatesVariable(
    _ value: (_ name: String) -> String? = { Environment.value($0) }
  ) -> String {
    value("CURL_CA_BUNDLE") == nil ? "SSL_CERT_FILE" : "CURL_CA_BUNDLE"
  }

  private func perform(_ library: HTTPLibrary, receiver: any Receiver, stop: BlockingWork.StopFlag) -> Outcome
  {
    let state = State(receiver: receiver, stop: stop, deadline: deadline)
    let texts = CStrings()
    let lines = unsafe texts.makeList(headers + (condition.map { [$0] } ?? []))
    let content = unsafe body.map { unsafe texts.makeBytes($0) }
    let certificates = Environment.value(HTTPTransfer.certificatesVariable())
    var request = unsafe fovea_curl_request(
      url: texts.make(address.url),
      range: offset > 0 ? texts.make("\(offset)-") : nil,
      headers: lines.start, header_count: lines.count,
      body: content?.start, body_count: content?.count ?? 0,
      method: method.map { unsafe texts.make($0) },
      body_file: bodyFile?.descriptor ?? -1, body_file_count: Int64(bodyFile?.count ?? 0),
      user_agent: texts.make("fovea"),
      certificates: certificates.map { unsafe texts.make($0) },
      proxy: proxy.map { unsafe texts.make($0) },
      head: isHeadOnly, allows_http: address.allowsHTTP, allows_file: address.allowsFile,
      connect_timeout_milliseconds: Int(connectTimeout / .milliseconds(1)),
      stall_timeout_seconds: max(1, Int((stallTimeout / .seconds(1)).rounded(.up))),
      most_redirects: 5)
    var outcome = fovea_curl_outcome()
    // SAFETY: `state` and `texts` outlive the call, and libcurl keeps none of the pointers beyond it.
    withExtendedLifetime((state, texts)) {
      unsafe fovea_curl_perform(
        library.functions, &request,
        { bytes, count, context in
          let state = unsafe HTTPTransfer.state(context)
          let line = unsafe UnsafeRawBufferPointer(start: bytes, count: min(count, 4_096))
          unsafe state.head.take(line: String(decoding: line, as: UTF8.self))
          return true
        },
        { bytes, count, context in
          let state = unsafe HTTPTransfer.state(context)
          let body = unsafe UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
          return unsafe state.receiver.take(body.span, head: state.head)
        },
        { context in unsafe HTTPTransfer.state(context).mustStop() },
        Unmanaged.passUnretained(state).toOpaque(), &outcome)
    }
    let message = unsafe withUnsafeBytes(of: outcome.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    var answer = Outcome(result: Ending(outcome.result), head: state.head, message: message)
    answer.contentLength = outcome.content_length >= 0 ? Int(outcome.content_length) : nil
    answer.refusedLocation = answer.result == .wrongURL ? state.head.location : nil
    answer.isLate = state.isLate
    answer.isSent = outcome.connected && (bodyFile.map { $0.count == Int(outcome.body_count) } ?? true)
    if let bodyFile, outcome.body_error != 0 {
      answer.bodyFault = BodyFault(
        sent: Int(outcome.body_count), size: bodyFile.count,
        number: outcome.body_error > 0 ? outcome.body_error : nil)
    }
    return answer
  }

  private static func state(_ context: UnsafeMutableRawPointer) -> State {
    unsafe Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
  }
}
