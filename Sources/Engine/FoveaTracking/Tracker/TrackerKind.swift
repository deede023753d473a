// SPDX-License-Identifier: Apache-2.0

/// The available trackers.
public enum TrackerKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// `FoveaTracker`, the most accurate.
  case fovea
  /// `ByteTrack`.
  case bytetrack
  /// `OCSORT`.
  case ocsort
  /// `SORT`.
  case sort

  /// Creates a tracker of this kind; a `Tracker` stores a kind with its parameters.
  /// - Parameters:
  ///   - frameRate: The frames per second of the video, above 0 and at most 10,000. It determines how many
  ///     frames `FoveaTracker` and `ByteTrack` keep an unseen object.
  ///   - json: The text of a JSON object with parameters of the tracker, in UTF-8; nil keeps the defaults.
  /// - Returns: The tracker, before its first frame.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (with the parameter, its value and its range) or
  ///   `invalid-configuration`.
  public func makeTracker(frameRate: Double = 30, json: [UInt8]? = nil) throws(TrackingError)
    -> any MultiObjectTracker
  {
    // A frame rate among the parameters takes precedence over this one.
    var tracker = try Tracker(self).at(frameRate: frameRate)
    if let json { try tracker.read(json: json) }
    return try tracker.makeTracker()
  }
}
