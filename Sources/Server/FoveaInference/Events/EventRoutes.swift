// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `GET /v1/events` and below: the messages of a journal, and its images.
struct EventRoutes: Sendable {
  /// Nil if the server keeps no events.
  let journal: EventJournal?
  let work: BodyWork
  /// The time between two comments in a stream of events.
  let interval: Duration

  func add(to router: Router<HTTPContext>) {
    router.get("v1/events") { request, context in
      let query = try EventQuery(RequestQuery(of: request))
      return try await answer(context) { try $0.page(query).response }
    }
    router.get("v1/events/stream") { request, context in
      guard let journal else { throw EventRoutes.off }
      return try EventBody(journal: journal, work: work, context: context, interval: interval)
        .response(to: request)
    }
    router.get("v1/events/{event}") { _, context in
      let id = context.parameters.get("event") ?? ""
      return try await answer(context) { journal in
        let page = try journal.life(id)
        guard !page.lines.isEmpty else {
          throw EventRoutes.unknown(id, among: page.next == nil ? nil : journal.options.mostBytes)
        }
        return page.response
      }
    }
    router.get("v1/events/{event}/snapshot.jpg") { request, context in
      let id = context.parameters.get("event") ?? ""
      return try await answer(context) { journal in
        guard let jpeg = try journal.snapshots.jpeg(of: id) else { throw EventRoutes.noSnapshot(id) }
        return EmbeddedFile(name: "snapshot.jpg", type: "image/jpeg", body: ByteBuffer(bytes: jpeg))
          .response(to: request, headers: [:])
      }
    }
  }

  /// Returns an answer, which is made on a thread of its own, in turn for each client.
  private func answer(
    _ context: HTTPContext, _ body: @escaping @Sendable (EventJournal) throws -> Response
  ) async throws -> Response {
    guard let journal else { throw EventRoutes.off }
    return try await work.run(on: journal.options.mostBytes, for: context) {
      do { return try body(journal) } catch let error as SystemError {
        throw Refusal(
          .internalServerError, "events-unreadable", "The events cannot be read: \(error.message)",
          remedy: "Check the folder of the events and its disk on the server")
      }
    }
  }

  private static let off = Refusal(
    .notFound, "events-off", "This server keeps no events",
    remedy: "Ask its operator for a folder for events")

  private static func unknown(_ id: String, among bytes: Int?) -> Refusal {
    Refusal(
      .notFound, "event-unknown",
      "There is no event '\(id.prefix(120))'"
        + (bytes.map { " in the newest \($0 >> 20) MiB of events" } ?? ""),
      remedy: "List the events with GET /v1/events")
  }

  private static func noSnapshot(_ id: String) -> Refusal {
    Refusal(
      .notFound, "snapshot-unknown", "There is no snapshot of an event '\(id.prefix(120))'",
      remedy: "List the events with GET /v1/events; 'snapshot' is null in those without one")
  }
}

extension EventPage {
  fileprivate var response: Response { .json { appendMembers(to: &$0) } }
}
#endif
