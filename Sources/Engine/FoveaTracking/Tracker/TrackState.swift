// SPDX-License-Identifier: Apache-2.0

/// How sure a tracker is of an object.
public enum TrackState: String, Sendable, Hashable, Codable {
  /// Seen too few times to have an identity; one frame without it, and it is forgotten.
  case tentative
  /// It has an identity and was seen in the last frame of detections.
  case tracked
  /// It has an identity and was not seen in the last frame of detections; it may come back.
  case lost
}
