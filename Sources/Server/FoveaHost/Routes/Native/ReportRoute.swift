// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaModels
import HTTPTypes
import Hummingbird

/// The route to which devices report loads; a report contains only model, version and outcome.
struct ReportRoute: Sendable {
  let models: ModelService
  let access: Access
  let metrics: Metrics
  let loads: LoadService
  let installations: InstallationDoor
  private let rates = TokenBuckets(rate: 1, burst: 30)

  func add(to router: Router<HTTPContext>) {
    router.post("v1/host/projects/{project}/reports", use: report)
  }

  @Sendable private func report(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try access.app(request, RequestQuery(of: request), context)
    let installation = try access.counted(context) { () throws(HostError) -> Installation? in
      try installations.installation(of: request)
    }
    guard rates.take(of: context.network, now: Double(models.now().milliseconds) / 1000) == nil else {
      throw Refusal(
        .tooManyRequests, "rate-limited", "Too many reports from this address", remedy: "Wait a minute"
      )
      .retrying(after: 60)
    }
    let report = try await access.bodies.json(
      LoadReport.self, request, of: context.client, upTo: 4 << 10)
    let model = try models.model(report.model)
    guard let outcome = LoadService.Outcome(rawValue: report.outcome) else {
      throw HostError.invalidArgument(
        "The outcome of a report is 'loaded', 'failed' or 'left', not \(HostName.shown(report.outcome))")
    }
    guard let number = Int(report.version), model.versions.contains(where: { $0.number == number }) else {
      throw HostError.invalidArgument(
        "The model '\(model.name)' has no version \(HostName.shown(report.version))")
    }
    let reporter = LoadReporter(installation: installation?.id, network: context.network)
    guard try await loads.count(outcome, of: number, model, by: reporter) else {
      metrics.add("fovea_host_repeated_reports_total")
      return .json { _ in }
    }
    // The labels are names assigned by the host itself, so their number is bounded.
    metrics.add(
      "fovea_host_reported_loads_total",
      ["model", model.name, "version", String(number), "outcome", report.outcome])
    return .json { _ in }
  }
}
#endif
