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
      let forget = context.whenPeerGoes { viewer.end() }
      defer { forget() }
      viewer.whenCut { context.closeConnection() }
      defer { viewer.whenCut(nil) }
      let ticks = Task { [interval] in
        repeat { viewer.put(.tick) } while (try? await Task.sleep(for: interval)) != nil
      }
      defer { ticks.cancel() }
      var reader = EventReader(journal, after: start)
      while await viewer.next() != nil {
        var text = try await next(of: &reader)
        // A comment, so that proxies keep the connection open.
        if text.isEmpty { try await writer.write(ByteBuffer(string: ":\n\n")) }
        while !text.isEmpty {
          try await writer.write(ByteBuffer(string: text))
          text = try await next(of: &reader)
        }
      }
      // A connection being closed accepts no more.
      try Task.checkCancellation()
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  /// Returns the next messages as events; empty if there are none yet.
  private func next(of reader: inout EventReader) async throws -> String {
    if let recent = reader.recent() { return EventBody.text(recent) }
    let before = reader
    let (after, text) = try await work.run(on: journal.options.mostBytes, for: context) {
      var reader = before
      let older = try reader.older()
      return (reader, EventBody.text(older))
    }
    reader = after
    return text
  }

  private static func text(_ messages: [(number: Int, text: String)]) -> String {
    messages.map { "id: \($0.number)\ndata: \($0.text)\n\n" }.joined()
  }
}
#endif
