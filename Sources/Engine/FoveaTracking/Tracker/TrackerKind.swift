// SPDX-License-Identifier: Apache-2.0

/// The trackers that there are.
public enum TrackerKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// `FoveaTracker`, the most exact.
  case fovea
  /// `ByteTrack`.
  case bytetrack
  /// `OCSORT`.
  case ocsort
  /// `SORT`.
  case sort

  /// Makes a tracker of this kind; `Tracker` holds a choice with its parameters.
  /// - Parameters:
  ///   - frameRate: The frames per second of the video, above 0 and at most 10,000. It decides how many frames
  ///     `FoveaTracker` and `ByteTrack` keep an object that no one sees.
  ///   - json: The text of a JSON object with parameters of the tracker, in UTF-8; nil keeps the defaults.
  /// - Returns: The tracker, before its first frame.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (naming the parameter, its value and its range) or
  ///   `invalid-configuration`.
  public func makeTracker(frameRate: Double = 30, json: [UInt8]? = nil) throws(TrackingError)
    -> any MultiObjectTracker
  {
    // A rate among the parameters goes over this one.
    var tracker = try Tracker(self).at(frameRate: frameRate)
    if let json { try tracker.read(json: json) }
    return try tracker.makeTracker()
  }
}
