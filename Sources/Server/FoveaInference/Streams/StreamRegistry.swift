// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Logging

/// A server's sources, by name.
struct StreamRegistry: Sendable {
  /// The sources in the given order.
  let sources: [StreamSource]

  /// Returns the source with a name.
  /// - Throws: A refusal with the most similar name.
  func source(_ name: String?) throws(Refusal) -> StreamSource {
    let name = name ?? ""
    if let source = sources.first(where: { $0.entry.name == name }) { return source }
    let shown = PercentText.decode(name) ?? name
    let near = NameDistance.nearest(to: name, among: sources.map(\.entry.name)).first
    throw Refusal(
      .notFound, "stream-unknown", "There is no source '\(shown.prefix(80))'",
      remedy: (near.map { "Did you mean '\($0)'? " } ?? "") + "List them with GET /v1/streams")
  }

  /// Watches the sources marked to be always watched, until the task is cancelled; one that has ended is
  /// retried.
  func watchAlways() async {
    await withTaskGroup(of: Void.self) { group in
      for source in sources where source.entry.isAlways {
        group.addTask {
          repeat {
            let (id, viewer) = source.join(.lines)
            while let event = await viewer.next() { if case .end = event { break } }
            source.leave(id)
          } while (try? await Task.sleep(for: .seconds(30))) != nil
        }
      }
    }
  }

  /// Disconnects viewers, who may reconnect.
  func endViewers() { for source in sources { source.endViewers() } }

  /// Stops every source and disconnects its viewers.
  func end() { for source in sources { source.end() } }

  /// Waits until the stopped sources have written their events; a camera that does not answer is left after
  /// some time.
  func ended(within limit: Duration) async {
    await Task { for source in sources { await source.ended() } }.finished(within: limit)
  }
}

/// The values shared by a server's sources.
struct StreamWork: Sendable {
  let registry: ModelRegistry
  let scheduler: Scheduler
  let metrics: Metrics
  /// The time limit for a frame, including its wait.
  let deadline: Duration
  /// The journal of events; nil if none are made.
  let journal: EventJournal?
  /// The log with the reasons why a source shows nothing.
  let logger: Logger
}
#endif
