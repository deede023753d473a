// SPDX-License-Identifier: Apache-2.0

/// What a metric counts for each unit.
package enum MetricKind: String, Sendable, Codable, CaseIterable {
  /// Whether the unit did it: 0 or 1.
  case conversion
  /// A number, such as the sum of a unit's values.
  case mean
}
