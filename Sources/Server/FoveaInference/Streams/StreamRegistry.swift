// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Logging

/// The sources of a server, by name.
struct StreamRegistry: Sendable {
  /// In the order in which they were given.
  let sources: [StreamSource]

  /// The source of that name.
  /// - Throws: A refusal that names the nearest.
  func source(_ name: String?) throws(Refusal) -> StreamSource {
    let name = name ?? ""
    if let source = sources.first(where: { $0.entry.name == name }) { return source }
    let near = NameDistance.nearest(to: name, among: sources.map(\.entry.name)).first
    throw Refusal(
      .notFound, "stream-unknown", "There is no source '\(name.prefix(80))'",
      remedy: (near.map { "Did you mean '\($0)'? " } ?? "") + "GET /v1/streams lists them")
  }

  /// Watches the sources that are watched always, until the task is cancelled; one that has ended is tried again.
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

  /// Ends those who watch, and may come back.
  func endViewers() { for source in sources { source.endViewers() } }

  /// Ends every source, and those who watch it.
  func end() { for source in sources { source.end() } }
}

/// What the sources of a server share.
struct StreamWork: Sendable {
  let registry: ModelRegistry
  let scheduler: Scheduler
  let metrics: Metrics
  /// How long a frame may wait and be processed.
  let deadline: Duration
  /// Where the operator reads why a source shows nothing.
  let logger: Logger
}
#endif
