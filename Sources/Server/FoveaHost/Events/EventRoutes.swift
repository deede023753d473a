// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The route to which apps report the variants they have shown and the outcomes.
struct EventRoutes: Sendable {
  let experiments: ExperimentService
  let access: Access
  let metrics: Metrics
  let installations: InstallationDoor
  /// Limits the events of one network: enough for the devices behind it, too few for a script that invents
  /// events.
  private let rates = TokenBuckets(rate: EventRoutes.steady, burst: EventRoutes.burst)
  /// The events of a network: per second on average, and at once.
  static let steady = 10.0
  static let burst = 5_000.0

  func add(to router: Router<HTTPContext>) {
    router.post("v1/projects/{project}/events:batch", use: take)
  }

  @Sendable private func take(_ request: Request, _ context: HTTPContext) async throws -> Response {
    var server: Identity?
    if EventRoutes.hasBearer(request) {
      server = try await access.admin(request, context, scope: .writeEvents)
    } else {
      try access.app(request, RequestQuery(of: request), context)
      _ = try access.counted(context) { () throws(HostError) -> Installation? in
        try installations.installation(of: request)
      }
      // Events that would not be counted need not be read.
      if rates.isEmpty(of: context.network, now: seconds) { throw EventRoutes.tooMany(after: 5) }
    }
    let caller = server?.name ?? context.client
    let events = try await access.bodies.read(request, of: caller, upTo: EventReader.mostBytes) { bytes in
      try EventReader.events(bytes)
    }
    if let server { try access.recheck(server) }
    if server == nil, let wait = rates.take(Double(events.count), of: context.network, now: seconds) {
      throw EventRoutes.tooMany(after: max(1, Int(wait.rounded(.up))))
    }
    let (tally, refused) = try await experiments.count(events)
    for (result, count) in [("counted", tally.counted), ("repeated", tally.repeated)] where count > 0 {
      metrics.add("fovea_host_events_total", ["result", result], by: Double(count))
    }
    for refusal in refused {
      metrics.add("fovea_host_events_total", ["result", refusal.reason.rawValue])
    }
    return .json { json in
      json.member("counted", tally.counted)
      json.member("repeated", tally.repeated)
      json.objects("refused", refused) { json, refusal in
        json.member("id", refusal.id)
        json.member("reason", refusal.reason.rawValue)
        json.member("message", refusal.message)
      }
    }
  }

  private var seconds: Double { Double(experiments.now().milliseconds) / 1000 }

  /// Whether the sender presents a service key, like an app's server that logs for all of its users.
  private static func hasBearer(_ request: Request) -> Bool {
    request.headers[.authorization]?.lowercased().hasPrefix("bearer ") == true
  }

  private static func tooMany(after seconds: Int) -> Refusal {
    Refusal(
      .tooManyRequests, "rate-limited", "Too many events from this address",
      remedy: "Send them later; a server that logs for many users sends the bearer token of a service key"
    ).retrying(after: seconds)
  }
}
#endif
