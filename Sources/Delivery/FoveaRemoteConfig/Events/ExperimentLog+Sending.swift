// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// The result of sending events.
public struct EventReport: Sendable, Hashable {
  /// The number of events that the host has counted, including those it already had.
  public var taken = 0
  /// The events that the host does not count, with its reasons.
  public var refused: [Refused] = []

  /// An event that the host does not count.
  public struct Refused: Sendable, Hashable, Decodable {
    /// The event's id.
    public let id: String
    /// The kind of reason: `unknown-experiment`, `wrong-variant`, `future`, `too-late` and others.
    public let reason: String
    /// The reason in words.
    public let message: String?
  }
}

extension ExperimentLog {
  /// The maximum number of events and of bytes in a request.
  static let batch = (events: 500, bytes: 256 << 10)

  private struct Answer: Decodable {
    var counted: Int?
    var repeated: Int?
    var refused: [EventReport.Refused]?
  }

  /// Sends all waiting events, 500 at a time, and removes from the file those that the host has received.
  ///
  /// Does nothing while another process is sending.
  /// - Returns: The result for all events.
  /// - Throws: `unreachable`, `throttled`, `refused`, `invalidAnswer`, `store`, `cancelled`; unsent events
  ///   remain in the file.
  @discardableResult
  public func send() async throws(ConfigError) -> EventReport {
    var report = EventReport()
    let lock: HostData.Lock?
    do throws(ModelStoreError) { lock = try place.data.lock(file.name + "-sending") } catch {
      throw ConfigError(error)
    }
    guard let lock else { return report }
    defer { lock.discard() }
    var most = Self.batch.events
    while true {
      let events = Self.first(try file.read().events, most)
      guard !events.isEmpty else { return report }
      let answer = try await post(events)
      let status = answer.outcome.head.status
      if status == 400 || status == 413 {
        // The host refuses one of the events: halving the batch finds it.
        guard events.count == 1 else {
          most = events.count / 2
          continue
        }
        report.refused.append(.init(id: events[0].id, reason: "batch-refused", message: "status \(status)"))
        try file.remove([events[0].id])
        continue
      }
      try take(answer, events, &report)
    }
  }

  private func post(_ events: [EventFile.Line]) async throws(ConfigError) -> HTTPAnswer {
    let body = "{\"events\":[" + events.map(\.json).joined(separator: ",") + "]}"
    let transfer = surroundings.post(body, to: try address(), timeout: .seconds(60))
    return try await surroundings.answer(transfer, limit: FetchAnswer.limit)
  }

  private func address() throws(ConfigError) -> DownloadAddress { try place.address("events:batch") }

  private func take(
    _ answer: HTTPAnswer, _ events: [EventFile.Line], _ report: inout EventReport
  ) throws(ConfigError) {
    if let failure = answer.failure(try address()) {
      wait(answer.outcome.head.retryAfterSeconds(now: surroundings.seconds))
      throw failure
    }
    let content: Answer
    do throws(JSONFailure) { content = try JSONValue.decode(Answer.self, from: answer.body) } catch {
      throw ConfigError(
        .invalidAnswer, "The host's answer to events cannot be read: \(error.reason)",
        remedy: "Check that the address in FOVEA_MODEL_HOST belongs to a host")
    }
    guard let counted = content.counted else {
      throw ConfigError(
        .invalidAnswer, "The host's answer to events has no 'counted'",
        remedy: "Check that the address in FOVEA_MODEL_HOST belongs to a host")
    }
    report.taken += counted + (content.repeated ?? 0)
    report.refused += content.refused ?? []
    try file.remove(Set(events.map(\.id)))
  }

  /// Returns the oldest events, as many as fit in one request.
  private static func first(_ events: [EventFile.Line], _ most: Int) -> [EventFile.Line] {
    var bytes = 32
    return Array(
      events.prefix(most).prefix { event in
        bytes += event.json.utf8.count + 1
        return bytes <= batch.bytes
      })
  }
}
