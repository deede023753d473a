// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `GET /v1/events` and below: the messages of a journal.
struct EventRoutes: Sendable {
  /// Nil if the server keeps no events.
  let journal: EventJournal?
  let work: BodyWork
  /// The time between two comments in a stream of events.
  let interval: Duration

  func add(to router: Router<HTTPContext>) {
    router.get("v1/events") { request, context in
      let query = try EventQuery(RequestQuery(of: request))
      return try await answer(context) { try $0.page(query) }
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
        return page
      }
    }
  }

  /// Returns a page, which is read and written on a thread of its own, in turn for each client.
  private func answer(
    _ context: HTTPContext, _ page: @escaping @Sendable (EventJournal) throws -> EventPage
  ) async throws -> Response {
    guard let journal else { throw EventRoutes.off }
    return try await work.run(on: journal.options.mostBytes, for: context) {
      do {
        let page = try page(journal)
        return Response.json { page.appendMembers(to: &$0) }
      } catch let error as SystemError {
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
}
#endif
