// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoveaSystem

/// One request and its answer, on its own thread.
struct HTTPTransfer: Sendable {
  var address: DownloadAddress
  /// The byte to begin with; 0 asks for everything.
  var offset = 0
  /// What the part that is there belongs to; the server sends everything where that has changed.
  var ifRange: String?
  /// What is there already; a server that has nothing else answers with status 304.
  ///
  /// Used only where everything is asked for.
  var unlessSame: HTTPValidator?
  var isHeadOnly = false
  var connectTimeout: Duration
  var stallTimeout: Duration
  /// nil for the environment's.
  var proxy: String?

  /// How a transfer ended.
  struct Outcome: Sendable {
    var result: fovea_curl_result
    var head: HTTPHead
    /// libcurl's words.
    var message: String
    /// The length that was announced, for `file://` too.
    var contentLength: Int?
    /// Where a redirect led that was not followed.
    var refusedLocation: String?
  }

  /// Takes the answer.
  ///
  /// All calls come from the transfer's thread, one after the other.
  protocol Receiver: AnyObject, Sendable {
    /// Takes the next bytes of the body; `false` ends the transfer.
    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool
  }

  /// Runs the transfer; a cancelled task ends it within a tenth of a second.
  /// - Throws: `libraryMissing`. Every other failure is in the outcome.
  func run(into receiver: some Receiver) async throws(ModelStoreError) -> Outcome {
    try await BlockingWork.run { stop throws(ModelStoreError) in
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

    init(receiver: any Receiver, stop: BlockingWork.StopFlag) {
      self.receiver = receiver
      self.stop = stop
    }
  }

  private func perform(_ library: HTTPLibrary, receiver: any Receiver, stop: BlockingWork.StopFlag) -> Outcome
  {
    let state = State(receiver: receiver, stop: stop)
    let texts = CStrings()
    // The variables that the program curl and most others know; the library itself does not look at them.
    let certificates = Environment.value("CURL_CA_BUNDLE") ?? Environment.value("SSL_CERT_FILE")
    var request = unsafe fovea_curl_request(
      url: texts.make(address.url),
      range: offset > 0 ? texts.make("\(offset)-") : nil,
      header: condition.map { unsafe texts.make($0) },
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
        { context in unsafe HTTPTransfer.state(context).stop.isSet },
        Unmanaged.passUnretained(state).toOpaque(), &outcome)
    }
    return unsafe Outcome(
      result: outcome.result, head: state.head,
      message: withUnsafeBytes(of: outcome.message) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      },
      contentLength: outcome.content_length >= 0 ? Int(outcome.content_length) : nil,
      refusedLocation: outcome.result == FOVEA_CURL_WRONG_URL ? state.head.location : nil)
  }

  private static func state(_ context: UnsafeMutableRawPointer) -> State {
    unsafe Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
  }
}
