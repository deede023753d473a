// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import Logging

/// Sends the messages of a journal to a web hook, in order and one at a time.
///
/// **Source:** Standard Webhooks 1.0.0.
struct WebhookSender: Sendable {
  /// A request to a web hook.
  struct Request: Sendable {
    let url: String
    /// Whole header lines.
    let headers: [String]
    let body: [UInt8]
  }

  private let hook: Webhook
  private let secret: WebhookSecret?
  private let output: EventOutput
  private let logger: Logger
  /// Sends a request; tests answer there.
  var post: @Sendable (Request) async -> WebhookRetry.Answer = { await WebhookSender.answer(to: $0) }
  /// Waits for some seconds; tests do not.
  var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
  /// The present moment in milliseconds since 1970.
  var now: @Sendable () -> Int64 = { WallClock.milliseconds }

  /// Reads the secret, and starts after the last message that the web hook has.
  /// - Throws: `option-invalid`.
  init(_ hook: Webhook, of journal: EventJournal) throws(FoveaError) {
    self.hook = hook
    secret = try hook.secretFile.map { (path) throws(FoveaError) in try WebhookSecret(path: path) }
    output = EventOutput(hook.name, of: journal)
    logger = journal.logger
  }

  /// Sends messages until the task is cancelled, which ends a running request too.
  func run() async {
    var failures: Set<String> = []
    while let messages = await output.next() {
      for message in messages {
        guard let outcome = await deliver(message, &failures) else { return }
        await output.pass(message, as: outcome)
      }
    }
  }

  /// Sends a message until the web hook has it, or it is dropped; nil if the task is cancelled.
  private func deliver(
    _ message: EventLine, _ failures: inout Set<String>
  ) async -> EventOutput.Outcome? {
    guard hook.wants(message) else { return .unwanted }
    let first = now()
    var retry = WebhookRetry()
    var age: Double { Double(now() - (message.moment ?? first)) / 1_000 }
    while !Task.isCancelled, age < WebhookRetry.longestAge {
      let answer = await post(request(for: message))
      guard !Task.isCancelled else { return nil }
      report(answer, &failures)
      switch retry.step(after: answer, age: age, jitter: .random(in: 0...1)) {
      case .end(let outcome): return outcome
      case .again(let seconds):
        do { try await wait(seconds) } catch { return nil }
      }
    }
    return Task.isCancelled ? nil : .lost
  }

  private func request(for message: EventLine) -> Request {
    let id = "\(message["id"] ?? "").\(message.sequence)"
    let timestamp = now() / 1_000
    let body = Array(message.text.utf8)
    var headers = [
      "Content-Type: application/json", "webhook-id: \(id)", "webhook-timestamp: \(timestamp)",
    ]
    if let secret {
      headers.append("webhook-signature: \(secret.signature(id: id, timestamp: timestamp, body: body))")
    }
    return Request(url: hook.url, headers: headers, body: body)
  }

  /// Logs the first failure of each kind, and the first success after it; metrics count the messages.
  /// - Parameters:
  ///   - answer: The end of a try.
  ///   - failures: The kinds in the log since the last success.
  private func report(_ answer: WebhookRetry.Answer, _ failures: inout Set<String>) {
    var metadata: Logger.Metadata = ["output": "\(hook.name)", "host": "\(hook.host)"]
    if let kind = answer.kind, let reason = answer.failure {
      // A receiver can answer with any status.
      guard failures.count < 20, failures.insert(kind).inserted else { return }
      metadata["error"] = "\(reason)"
      metadata["remedy"] = "\(answer.remedy)"
      logger.warning("a web hook takes no events", metadata: metadata)
    } else if !failures.isEmpty {
      failures = []
      logger.notice("a web hook takes events again", metadata: metadata)
    }
  }

  /// Sends a request with libcurl, on a thread of its own.
  static func answer(to request: Request) async -> WebhookRetry.Answer {
    let address = DownloadAddress(
      url: request.url, allowsHTTP: request.url.lowercased().hasPrefix("http://"), allowsFile: false)
    var transfer = HTTPTransfer(
      address: address, connectTimeout: .seconds(10), stallTimeout: WebhookRetry.patience,
      deadline: .now + WebhookRetry.patience)
    // Does not wait for "100 Continue".
    transfer.headers = request.headers + ["Expect:"]
    transfer.body = request.body
    do throws(TransferError) {
      // No one reads the answer's body.
      let outcome = try await HTTPAnswer.of(transfer, limit: 1 << 16).outcome
      guard outcome.head.status >= 200 else {
        if outcome.isLate { return .late }
        // With TLS 1.3, a receiver asks for a certificate only after the handshake.
        let isSecurity = outcome.result == .notSecure || TLSFault(outcome.message) == .anonymous
        return isSecurity ? .notSecure(outcome.message) : .failed(outcome.message)
      }
      return .status(outcome.head.status, retryAfter: outcome.head.retryAfterSeconds())
    } catch {
      return .failed(error.message)
    }
  }
}
#endif
