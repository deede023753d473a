// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// An answer with the messages of a journal as server-sent events, until the client disconnects or the server
/// drains.
///
/// **Source:** HTML Living Standard, section 9.2.
struct EventBody: Sendable {
  let journal: EventJournal
  let work: BodyWork
  let context: HTTPContext
  /// The time between two comments.
  let interval: Duration

  /// Returns the answer to a request.
  /// - Throws: A refusal if `Last-Event-ID` is not a number.
  func response(to request: Request) throws(Refusal) -> Response {
    var start = journal.next - 1
    if let name = HTTPField.Name("Last-Event-ID"), let text = request.headers[name] {
      guard let number = Int(text), number >= 0 else {
        throw Refusal(
          .badRequest, "option-invalid", "'Last-Event-ID' is '\(text.prefix(40))'",
          remedy: "Send the number of the last message, or omit it")
      }
      start = min(number, start)
    }
    return response(after: start)
  }

  /// Returns the messages with a higher number than `start`.
  private func response(after start: Int) -> Response {
    let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    let body = ResponseBody(contentLength: nil) { [self] writer in
      let (id, viewer) = journal.viewers.join()
      defer { journal.viewers.leave(id) }
      let forget = try await context.whenPeerGoes { viewer.end() }
      defer { forget() }
      viewer.whenCut { context.closeConnection() }
      defer { viewer.whenCut(nil) }
      let ticks = Task { [interval] in
        repeat { viewer.put(.tick) } while (try? await Task.sleep(for: interval)) != nil
      }
      defer { ticks.cancel() }
      var last = start
      while await viewer.next() != nil {
        var messages = try await next(after: last)
        // A comment, so that proxies keep the connection open.
        if messages.text.isEmpty { try await writer.write(ByteBuffer(string: ":\n\n")) }
        while !messages.text.isEmpty {
          try await writer.write(ByteBuffer(string: messages.text))
          last = messages.last
          messages = try await next(after: last)
        }
      }
      // A connection being closed accepts no more.
      try Task.checkCancellation()
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  /// Returns some of the messages after a number as events, and the last number.
  private func next(after number: Int) async throws -> (text: String, last: Int) {
    if let recent = journal.recent(after: number) { return EventBody.events(recent, number) }
    return try await work.run(on: journal.options.mostBytes, for: context) {
      EventBody.events(try journal.older(after: number), number)
    }
  }

  private static func events(
    _ messages: [(number: Int, text: String)], _ last: Int
  ) -> (text: String, last: Int) {
    (
      messages.map { "id: \($0.number)\ndata: \($0.text)\n\n" }.joined(),
      messages.last?.number ?? last
    )
  }
}

extension EventJournal {
  /// The most messages in memory that are returned at a time.
  private static let batch = 1_000

  /// Returns messages after a number, the oldest first; nil if files have the next one.
  func recent(after number: Int) -> [(number: Int, text: String)]? {
    let ring = ring
    guard number + 1 >= ring.first else { return nil }
    let end = min(ring.next, number + 1 + EventJournal.batch)
    return (min(number + 1, end)..<end).map { ($0, ring[$0]) }
  }

  /// Returns messages of files after a number, the oldest first: those of one file, or in memory.
  /// - Throws: The system's reason if a file cannot be read.
  func older(after number: Int) throws(SystemError) -> [(number: Int, text: String)] {
    let (ring, segments) = content
    for (index, segment) in segments.enumerated() {
      // All of its messages have lower numbers.
      if index + 1 < segments.count, segments[index + 1].first <= number + 1 { continue }
      let messages = try lines(of: segment).compactMap { EventLine($0) }
        .filter { $0.number > number && $0.number < ring.first }
      if !messages.isEmpty { return messages.map { ($0.number, $0.text) } }
    }
    return recent(after: ring.first - 1) ?? []
  }
}
#endif
