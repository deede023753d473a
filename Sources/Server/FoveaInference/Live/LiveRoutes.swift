// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaImage
import HTTPTypes
import Hummingbird
import Synchronization

/// `WS /v1/live`: receives frames and sends results.
final class LiveRoutes: Sendable {
  private let registry: ModelRegistry
  private let scheduler: Scheduler
  private let bodies: BodyWork
  private let metrics: Metrics
  private let options: InferenceOptions
  /// Returns the client's name for a request and its address.
  private let client: @Sendable (_ head: HTTPRequest, _ peer: String) -> String

  private struct State {
    var open: [Int: (connection: LiveConnection, client: String)] = [:]
    var total = 0
  }

  /// The divisor for the share of all connections that one client may hold.
  private static let portion = 4

  private let state = Mutex(State())

  init(
    registry: ModelRegistry, scheduler: Scheduler, bodies: BodyWork, metrics: Metrics,
    options: InferenceOptions,
    client: @escaping @Sendable (_ head: HTTPRequest, _ peer: String) -> String
  ) {
    self.registry = registry
    self.scheduler = scheduler
    self.bodies = bodies
    self.metrics = metrics
    self.options = options
    self.client = client
  }

  /// The number of connections.
  var count: Int { state.withLock { $0.open.count } }

  /// Closes every connection; clients with a valid key reconnect.
  func closeAll() {
    for open in state.withLock({ Array($0.open.values) }) {
      open.connection.close(.policy("the keys have changed; connect again"))
    }
  }

  /// The path that becomes a WebSocket.
  var routes: [String: LiveRoute] {
    var route = LiveRoute { [self] connection in await serve(connection) }
    let query = BodyQuery(options: LiveRequest.names, place: "the message 'start'")
    route.refusal = { query.refusal(of: $0) }
    route.rules.messageLimit = options.maximumFrame
    route.farewell = { LiveReply.draining() }
    return ["/v1/live": route]
  }

  /// Adds the answer to requests without a WebSocket.
  func add(to router: Router<HTTPContext>) {
    router.get("v1/live") { _, _ -> Response in
      throw Refusal.upgradeRequired
    }
  }

  private func serve(_ connection: LiveConnection) async {
    let client = client(connection.head, connection.peer)
    let number: Int? = state.withLock { state in
      guard state.open.count < options.maximumLive,
        state.open.values.count(where: { $0.client == client })
          < max(1, options.maximumLive / LiveRoutes.portion)
      else { return nil }
      state.total += 1
      state.open[state.total] = (connection, client)
      return state.total
    }
    guard let number else { return connection.close(.full) }
    defer { state.withLock { $0.open[number] = nil } }
    var limits = ImageLimits()
    limits.maxPixels = options.maximumPixels
    limits.maxFileBytes = options.maximumFrame
    limits.formats = options.formats
    let session = LiveSession(
      connection: connection, registry: registry, scheduler: scheduler, bodies: bodies, metrics: metrics,
      deadline: options.deadline, limits: limits, maximumBytes: options.maximumFrame,
      name: client)
    await session.run()
  }
}

extension Refusal {
  /// The refusal of a plain request for a WebSocket path.
  static var upgradeRequired: Refusal {
    var refusal = Refusal(
      .upgradeRequired, "upgrade-required", "This path is a WebSocket",
      remedy: "Connect with a WebSocket client, such as the page at /")
    refusal.headers[.upgrade] = "websocket"
    return refusal
  }
}
#endif
