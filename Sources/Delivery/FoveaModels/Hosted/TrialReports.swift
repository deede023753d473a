// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The body of a report: how a load of a version ended on a device, of which nothing else is said.
package struct LoadReport: Codable, Sendable {
  package let model: String
  package let version: String
  /// `loaded`, `failed` or `left`.
  package let outcome: String
}

/// Reports to a host how loads of its versions ended: model, version and outcome, and nothing that identifies the device.
struct TrialReports {
  let service: VersionHost
  let settings: TransferSettings
  let layout: StoreLayout

  /// Sends what is to be reported; what the host does not take is kept for the next time.
  ///
  /// Nothing that happens here keeps a model from being downloaded.
  func send() async {
    guard let address = service.reports else { return }
    let reports = Trials.read(service.name, layout).reports
    guard !reports.isEmpty else { return }
    var sent: [Trials.Report] = []
    for report in reports {
      let body = LoadReport(model: service.name, version: report.version, outcome: report.outcome)
      // Texts alone can always be encoded.
      guard let data = try? JSONEncoder().encode(body) else { continue }
      var transfer = settings.transfer(address)
      transfer.body = Array(data)
      transfer.headers = ["Content-Type: application/json"]
      // A host that cannot be reached gets the rest after the next download.
      guard let answer = try? await HTTPAnswer.of(transfer, limit: 1 << 16) else { break }
      // A host without this route, or one that does not take the report, is not asked again.
      guard
        (200..<300).contains(answer.outcome.head.status)
          || [400, 403, 404, 405].contains(answer.outcome.head.status)
      else { break }
      sent.append(report)
    }
    // What is not struck off is reported twice.
    try? Trials.change(service.name, layout) { trials in trials.reports.removeAll { sent.contains($0) } }
  }
}
