// SPDX-License-Identifier: Apache-2.0

/// Who takes part in an experiment: a device, or a user on all devices.
public enum ExperimentUnit: String, Codable, Sendable, Hashable {
  /// This device, by a number that it made.
  case installation
  /// The app's user, by the id that the app gave.
  case user
}
