// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The body of a load report: the outcome of loading a version, without any data about the device.
package struct LoadReport: Codable, Sendable {
  package let model: String
  package let version: String
  /// `loaded`, `failed` or `left`.
  package let outcome: String
}

/// Sends load reports to a host: model, version and outcome, and nothing that identifies the device.
struct LoadReportSender {
  let service: VersionHost
  let settings: TransferSettings
  let layout: StoreLayout

  /// Sends the pending reports; those that the host does not accept are kept for the next time.
  ///
  /// A failure here never prevents a download.
  func send() async {
    guard let address = service.reports else { return }
    let reports = FirstLaunchRecord.read(service.name, layout).reports
    guard !reports.isEmpty else { return }
    var sent: [FirstLaunchRecord.Report] = []
    for report in reports {
      let body = LoadReport(model: service.name, version: report.version, outcome: report.outcome)
      // Strings can always be encoded.
      guard let data = try? JSONEncoder().encode(body) else { continue }
      var transfer = settings.transfer(address)
      transfer.body = Array(data)
      transfer.headers = ["Content-Type: application/json"]
      // An unreachable host gets the rest at the next download.
      guard let answer = try? await HTTPAnswer.of(transfer, limit: 1 << 16) else { break }
      // A host that lacks this route or rejects the report does not get it again.
      guard
        (200..<300).contains(answer.outcome.head.status)
          || [400, 403, 404, 405].contains(answer.outcome.head.status)
      else { break }
      sent.append(report)
    }
    // A report that cannot be removed is sent twice.
    try? FirstLaunchRecord.change(service.name, layout) { record in
      record.reports.removeAll { sent.contains($0) }
    }
  }
}
