// SPDX-License-Identifier: Apache-2.0
#if Server
/// An event as an app sends it, not yet checked; fields that are missing or of another type are nil.
package struct AppEvent: Sendable, Equatable {
  package var id: String?
  package var kind: String?
  package var experiment: String?
  package var variant: String?
  package var name: String?
  package var unit: String?
  package var time: String?
  package var value: Double?
  /// Whether it has a value that is not a number.
  package var hasOddValue = false
  /// The reason why a member is not one of an event; nil if all are.
  package var unknownMember: String?

  package init() {}
}

/// The reason why an event does not count.
package struct EventRefusal: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// A member is missing or malformed.
    case malformed
    case unknownKind = "unknown-kind"
    case unknownExperiment = "unknown-experiment"
    case unknownVariant = "unknown-variant"
    /// Another variant is assigned to the unit.
    case wrongVariant = "wrong-variant"
    /// The experiment did not run at that time.
    case notRunning = "not-running"
    /// The unit's variant was set by hand, so it is not counted.
    case testDevice = "test-device"
    /// No experiment counts events of that name.
    case unknownMetric = "unknown-metric"
    /// Its time is in the future.
    case future
    /// It is more than seven days old.
    case tooLate = "too-late"
  }

  /// The event's id, if it has one.
  package let id: String?
  package let reason: Reason
  package let message: String
}
#endif
