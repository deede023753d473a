// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoveaCore

/// One request and its answer, on its own thread.
package struct HTTPTransfer: Sendable {
  package var address: DownloadAddress
  /// The byte to begin with; 0 asks for everything.
  package var offset = 0
  /// What the part that is there belongs to; the server sends everything where that has changed.
  package var ifRange: String?
  /// What is there already; a server that has nothing else answers with status 304.
  ///
  /// Used only where everything is asked for.
  package var unlessSame: HTTPValidator?
  package var isHeadOnly = false
  /// Whole header lines besides those of a condition.
  package var headers: [String] = []
  /// A body to POST; nil asks with GET.
  package var body: [UInt8]?
  /// A file to POST in its place, open for reading, and its size.
  package var bodyFile: (descriptor: Int32, count: Int)?
  /// The method where it is not the one that follows from the body.
  package var method: String?
  package var connectTimeout: Duration
  package var stallTimeout: Duration
  /// nil for the environment's.
  package var proxy: String?
  /// When the transfer is ended, whatever it brought; nil for never.
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

  /// How a transfer ended.
  package struct Outcome: Sendable {
    package var result: Ending
    package var head: HTTPHead
    /// libcurl's words.
    package var message: String
    /// The length that was announced, for `file://` too.
    package var contentLength: Int?
    /// Where a redirect led that was not followed.
    package var refusedLocation: String?
    /// Whether the deadline ended it.
    package var isLate = false
    /// Whether the whole request may have reached the server.
    package var isSent = false
    /// What ended the reading of the file that is sent; nil if nothing did.
    package var bodyFault: BodyFault?
  }

  /// Takes the answer.
  ///
  /// All calls come from the transfer's thread, one after the other.
  package protocol Receiver: AnyObject, Sendable {
    /// Takes the next bytes of the body; `false` ends the transfer.
    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool
  }

  /// Runs the transfer; a cancelled task ends it within a tenth of a second.
  /// - Throws: `libraryMissing`. Every other failure is in the outcome.
  package func run(into receiver: some Receiver) async throws(TransferError) -> Outcome {
    try await BlockingWork.run { stop throws(TransferError) in
      perform(try HTTPLibrary.shared(), receiver: receiver, stop: stop)
    }
  }

  /// The header line that makes the request depend on what is there.
  private var condition: String? {
    offset > 0 ? ifRange.map { "If-Range: \($0)" } : unlessSame?.condition
  }

  /// What the callbacks of one transfer share; used by its thread alone.
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

  private func perform(_ library: HTTPLibrary, receiver: any Receiver, stop: BlockingWork.StopFlag) -> Outcome
  {
    let state = State(receiver: receiver, stop: stop, deadline: deadline)
    let texts = CStrings()
    let lines = unsafe texts.makeList(headers + (condition.map { [$0] } ?? []))
    let content = unsafe body.map { unsafe texts.makeBytes($0) }
    // The variables that the program curl and most others know; the library itself does not look at them.
    let certificates = Environment.value("CURL_CA_BUNDLE") ?? Environment.value("SSL_CERT_FILE")
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
