// SPDX-License-Identifier: Apache-2.0
#if Server

/// Variants that are compared on the units to which they are assigned.
///
/// The variants are fixed from the first day. Changed weights start a new row, so the expected shares of each
/// period stay known.
package struct Experiment: Sendable, Codable, Equatable {
  package let project: String
  /// 1 to 22 lower-case letters, digits and `-`; never used again within a project.
  package let id: String
  package let created: Timestamp
  package var updated: Timestamp
  /// Increases by one with each change.
  package var revision: Int64 = 1
  package let unit: UnitKind
  package let range: DrawRange
  /// The id of the model whose versions are compared; nil for an experiment on parameters.
  package let model: String?
  /// The first variant is the control.
  package let variants: [Variant]
  /// The condition that selects apps, as in a Remote Config template; nil for all.
  package let condition: String?
  package let metric: ExperimentMetric
  /// The planned number of units of all variants.
  package let planned: Int
  package internal(set) var state: State
  /// In the order of their start, at least one.
  package internal(set) var rows: [WeightRow]
  /// The variant of each test device, by unit; test devices are not counted.
  package internal(set) var overrides: [String: String] = [:]
  package internal(set) var ended: Timestamp?
  /// The variant that was rolled out.
  package internal(set) var winner: String?

  /// The kind of id that determines the variant.
  package enum UnitKind: String, Sendable, Codable, CaseIterable {
    case installation
    /// The app's id of its user: the same variant on all of the user's devices, and after a new installation.
    case user

    /// `device`, `user`: that which an override gives a variant.
    var tester: String { self == .user ? "user" : "device" }
  }

  package enum State: String, Sendable, Codable, CaseIterable {
    case draft, running, paused, stopped
    /// All units get the winner.
    case rolledOut
  }

  /// A variant: the version or the parameters that a share of the units gets.
  package struct Variant: Sendable, Codable, Equatable {
    /// 1 to 32 letters, digits, `_` and `-`.
    package let id: String
    /// The version of the model; nil in an experiment on parameters.
    package let version: Int?
    /// The parameters that it sets in Remote Config.
    package let parameters: [String: String]

    package init(id: String, version: Int? = nil, parameters: [String: String] = [:]) {
      self.id = id
      self.version = version
      self.parameters = parameters
    }
  }

  /// The weights from a time on, until the next row.
  package struct WeightRow: Sendable, Codable, Equatable {
    package let from: Timestamp
    /// One for each variant; only their ratios matter.
    package let weights: [Int]
    /// Whether variants are assigned: not in a draft, in a pause and after the end.
    package let isDrawn: Bool
  }

  /// The time at which assignment started; nil for a draft.
  package var started: Timestamp? { rows.first(where: \.isDrawn)?.from }

  /// Whether it owns its range and its model: it is running, or can be started or resumed.
  package var isActive: Bool { state == .draft || state == .running || state == .paused }

  /// Returns the number of the variant with that id.
  package func index(of variant: String) -> Int? { variants.firstIndex { $0.id == variant } }
}

/// The quantity that an experiment counts for each of its units.
package struct ExperimentMetric: Sendable, Codable, Equatable {
  /// The name of the events, 1 to 40 letters, digits, `_`, `.` and `-`.
  package let name: String
  /// `conversion`: whether a unit logged the event; `mean`: the sum of its values.
  package let kind: MetricKind
  /// The number of seconds after its first exposure for which a unit's events count, up to 28 days.
  package let window: Int

  /// 28 days in seconds.
  package static let longestWindow = 28 * 86_400

  package init(name: String, kind: MetricKind = .conversion, window: Int = 86_400) {
    self.name = name
    self.kind = kind
    self.window = window
  }
}
#endif
