// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

@testable import FoveaHost

/// Models, versions and log rows for tests.
enum HostSamples {
  static func hash(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  static func model(_ name: String = "bird", id: String = "1", project: String = "demo") -> HostModel {
    HostModel(project: project, id: id, name: name, created: Timestamp(milliseconds: 1_000), seed: "s")
  }

  static func file(_ number: Int, at milliseconds: Int64 = 1_000) -> NewVersion {
    NewVersion(
      sha256: hash(number), size: Int64(number), created: Timestamp(milliseconds: milliseconds),
      author: "ci")
  }

  static func entry(_ action: String = "test", model: String? = "bird", at time: Int64 = 2_000)
    -> AuditEntry
  {
    AuditEntry(
      time: Timestamp(milliseconds: time), actor: "ci", action: action, project: "demo", model: model)
  }

  /// A running experiment with the variants `x` and `y`.
  static func experiment(
    _ id: String, metric: ExperimentMetric = ExperimentMetric(name: "seen"), project: String = "demo"
  ) -> FoveaHost.Experiment {
    let time = Timestamp(milliseconds: 0)
    return FoveaHost.Experiment(
      project: project, id: id, created: time, updated: time, unit: .installation,
      range: DrawRange(seed: id, start: 0, end: 100_000_000, holdout: 100_000_000), model: nil,
      variants: ["x", "y"].map { FoveaHost.Experiment.Variant(id: $0) }, condition: nil, metric: metric,
      planned: 100, state: .running, rows: [.init(from: time, weights: [1, 1], isDrawn: true)])
  }

  /// A model with this many versions, the first one stable.
  static func published(_ count: Int = 3) throws(HostError) -> HostModel {
    var model = model()
    for number in 1...count { model.add(file(number)) }
    try model.point("stable", at: 1)
    return model
  }
}

/// The code of the error that a body throws; nil if it throws none.
func code(
  _ body: () async throws(HostError) -> Void
) async -> HostCode? {
  do throws(HostError) { try await body() } catch { return error.code }
  return nil
}

extension MetadataStore {
  /// Adds a model and a row of the audit log without a condition.
  func create(_ model: HostModel, entry: AuditEntry) async throws(HostError) {
    try await create(model, entry: entry) { () throws(HostError) in }
  }

  /// Adds an object, or unconditionally replaces the one with its name.
  @discardableResult func put(_ object: StoredObject) async throws(HostError) -> StoredObject {
    try await put(object) { _ throws(HostError) in }
  }
}
#endif
