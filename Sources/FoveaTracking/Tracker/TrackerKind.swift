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

  /// Makes a tracker of this kind.
  /// - Parameters:
  ///   - frameRate: The frames per second of the video, above 0 and at most 10,000. It decides how many frames
  ///     `FoveaTracker` and `ByteTrack` keep an object that nobody sees.
  ///   - json: The text of a JSON object with parameters of the tracker, in UTF-8; nil keeps the defaults.
  /// - Returns: The tracker, before its first frame.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (naming the parameter, its value and its range) or
  ///   `invalid-configuration`.
  public func makeTracker(frameRate: Double = 30, json: [UInt8]? = nil) throws(TrackingError)
    -> any MultiObjectTracker
  {
    // Checks the frame rate for all, and is the default of the first.
    var configuration = FoveaTracker.Configuration()
    configuration.frameRate = frameRate
    try configuration.validate()
    switch self {
    case .fovea:
      if let json { try configuration.read(json: json) }
      return try FoveaTracker(configuration: configuration)
    case .bytetrack:
      var configuration = ByteTrack.Configuration()
      // The authors keep objects for a second.
      configuration.maxAge = Int(frameRate)
      if let json { try configuration.read(json: json) }
      return try ByteTrack(configuration: configuration)
    case .ocsort:
      var configuration = OCSORT.Configuration()
      if let json { try configuration.read(json: json) }
      return try OCSORT(configuration: configuration)
    case .sort:
      var configuration = SORT.Configuration()
      if let json { try configuration.read(json: json) }
      return try SORT(configuration: configuration)
    }
  }
}
