// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// Where apps send which variants they have shown, and what came of it.
  struct EventRoutes: Sendable {
    let experiments: ExperimentService
    let access: Access
    let metrics: Metrics
    /// Batches of one address.
    private let rates = TokenBuckets(rate: 200, burst: 2_000)

    init(experiments: ExperimentService, access: Access, metrics: Metrics) {
      self.experiments = experiments
      self.access = access
      self.metrics = metrics
    }

    func add(to router: Router<HTTPContext>) {
      router.post("v1/projects/{project}/events:batch", use: take)
    }

    @Sendable private func take(_ request: Request, _ context: HTTPContext) async throws -> Response {
      try access.app(request, RequestQuery(of: request), context)
      guard rates.take(of: context.peer, now: Double(experiments.now().milliseconds) / 1000) == nil else {
        throw Refusal(
          .tooManyRequests, "rate-limited", "Too many batches of events came from this address",
          remedy: "Send up to \(EventReader.mostEvents) events in one"
        ).retrying(after: 5)
      }
      let events = try EventReader.events(await request.content(upTo: EventReader.mostBytes))
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
        json.member("refused", refused) { json, refusal in
          json.object { json in
            json.member("id", refusal.id)
            json.member("reason", refusal.reason.rawValue)
            json.member("message", refusal.message)
          }
        }
      }
    }
  }
#endif
