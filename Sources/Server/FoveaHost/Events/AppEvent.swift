// SPDX-License-Identifier: Apache-2.0
#if Server
/// An event as an app sends it, not checked yet; nil for what is missing or of another type.
package struct AppEvent: Sendable, Equatable {
  package var id: String?
  package var kind: String?
  package var experiment: String?
  package var variant: String?
  package var name: String?
  package var unit: String?
  package var time: String?
  package var value: Double?
  /// Whether it has a value that is no number.
  package var hasOddValue = false

  package init() {}
}

/// Why an event does not count.
package struct EventRefusal: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// A member is missing or of the wrong form.
    case malformed
    case unknownKind = "unknown-kind"
    case unknownExperiment = "unknown-experiment"
    case unknownVariant = "unknown-variant"
    /// The unit draws another variant.
    case wrongVariant = "wrong-variant"
    /// The experiment did not run at that time.
    case notRunning = "not-running"
    /// The unit was given a variant, and is not counted.
    case testDevice = "test-device"
    /// No experiment counts events of that name.
    case unknownMetric = "unknown-metric"
    /// Its time is still to come.
    case future
    /// It is more than seven days old.
    case tooLate = "too-late"
  }

  /// The event's id, where it has one.
  package let id: String?
  package let reason: Reason
  package let message: String
}
#endif
