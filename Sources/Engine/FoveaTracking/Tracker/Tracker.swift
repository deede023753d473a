// SPDX-License-Identifier: Apache-2.0

/// A choice of tracker, with its parameters.
public enum Tracker: Sendable, Hashable {
  /// `FoveaTracker`, the most accurate.
  case fovea(FoveaTracker.Configuration)
  /// `ByteTrack`.
  case byteTrack(ByteTrack.Configuration)
  /// `OCSORT`.
  case ocSort(OCSORT.Configuration)
  /// `SORT`.
  case sort(SORT.Configuration)

  /// Creates a choice with the default parameters.
  public init(_ kind: TrackerKind) {
    self =
      switch kind {
      case .fovea: .fovea(.init())
      case .bytetrack: .byteTrack(.init())
      case .ocsort: .ocSort(.init())
      case .sort: .sort(.init())
      }
  }

  /// The kind of the tracker.
  public var kind: TrackerKind {
    switch self {
    case .fovea: .fovea
    case .byteTrack: .bytetrack
    case .ocSort: .ocsort
    case .sort: .sort
    }
  }

  /// The parameters of `FoveaTracker`; nil if another tracker is chosen.
  package var foveaConfiguration: FoveaTracker.Configuration? {
    if case .fovea(let configuration) = self { configuration } else { nil }
  }

  /// The score from which a detection starts an object.
  package var birthScore: Double {
    switch self {
    case .fovea(let configuration): configuration.birthScore
    case .byteTrack(let configuration): configuration.birthScore
    case .ocSort(let configuration): configuration.minScore
    case .sort(let configuration): configuration.minScore
    }
  }

  /// The largest number of detections per frame that are associated.
  package var detectionLimit: Int {
    switch self {
    case .fovea(let configuration): configuration.detectionLimit
    case .byteTrack(let configuration): configuration.detectionLimit
    case .ocSort(let configuration): configuration.detectionLimit
    case .sort(let configuration): configuration.detectionLimit
    }
  }

  /// Reads parameters from a JSON object; parameters that it does not contain keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (with the parameter, its value and its range) or
  ///   `invalid-configuration`.
  package mutating func read(json: [UInt8]) throws(TrackingError) {
    switch self {
    case .fovea(var configuration):
      try configuration.read(json: json)
      self = .fovea(configuration)
    case .byteTrack(var configuration):
      try configuration.read(json: json)
      self = .byteTrack(configuration)
    case .ocSort(var configuration):
      try configuration.read(json: json)
      self = .ocSort(configuration)
    case .sort(var configuration):
      try configuration.read(json: json)
      self = .sort(configuration)
    }
  }

  /// Creates the tracker.
  /// - Parameter frameRate: The frames per second of the video, above 0 and at most 10,000, which determine
  ///   how many frames `FoveaTracker` and `ByteTrack` keep an unseen object; nil uses the parameters as set.
  /// - Returns: The tracker, before its first frame.
  /// - Throws: `invalid-parameter` with the parameter, its value and its range.
  public func makeTracker(frameRate: Double? = nil) throws(TrackingError) -> any MultiObjectTracker {
    switch try at(frameRate: frameRate) {
    case .fovea(let configuration): try FoveaTracker(configuration: configuration)
    case .byteTrack(let configuration): try ByteTrack(configuration: configuration)
    case .ocSort(let configuration): try OCSORT(configuration: configuration)
    case .sort(let configuration): try SORT(configuration: configuration)
    }
  }

  /// Returns the same choice for a video with this frame rate.
  func at(frameRate: Double?) throws(TrackingError) -> Tracker {
    guard let frameRate else { return self }
    // The same range applies to all trackers.
    var rate = FoveaTracker.Configuration()
    rate.frameRate = frameRate
    try rate.validate()
    switch self {
    case .fovea(var configuration):
      configuration.frameRate = frameRate
      return .fovea(configuration)
    case .byteTrack(var configuration):
      // The authors keep objects for one second.
      if configuration.maxAge == nil { configuration.maxAge = Int(frameRate) }
      return .byteTrack(configuration)
    case .ocSort, .sort: return self
    }
  }
}
