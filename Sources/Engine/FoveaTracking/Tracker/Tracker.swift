// SPDX-License-Identifier: Apache-2.0

/// A tracker that is chosen, with its parameters.
public enum Tracker: Sendable, Hashable {
  /// `FoveaTracker`, the most exact.
  case fovea(FoveaTracker.Configuration)
  /// `ByteTrack`.
  case byteTrack(ByteTrack.Configuration)
  /// `OCSORT`.
  case ocSort(OCSORT.Configuration)
  /// `SORT`.
  case sort(SORT.Configuration)

  /// Makes a choice with the default parameters.
  public init(_ kind: TrackerKind) {
    self =
      switch kind {
      case .fovea: .fovea(.init())
      case .bytetrack: .byteTrack(.init())
      case .ocsort: .ocSort(.init())
      case .sort: .sort(.init())
      }
  }

  /// Which tracker it is.
  public var kind: TrackerKind {
    switch self {
    case .fovea: .fovea
    case .byteTrack: .bytetrack
    case .ocSort: .ocsort
    case .sort: .sort
    }
  }

  /// The parameters of `FoveaTracker`; nil where another one is chosen.
  package var foveaConfiguration: FoveaTracker.Configuration? {
    if case .fovea(let configuration) = self { configuration } else { nil }
  }

  /// The most detections of one frame that are associated.
  package var detectionLimit: Int {
    switch self {
    case .fovea(let configuration): configuration.detectionLimit
    case .byteTrack(let configuration): configuration.detectionLimit
    case .ocSort(let configuration): configuration.detectionLimit
    case .sort(let configuration): configuration.detectionLimit
    }
  }

  /// Reads a JSON object with any of the parameters; those that it does not name keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (naming the parameter, its value and its range) or
  ///   `invalid-configuration`.
  public mutating func read(json: [UInt8]) throws(TrackingError) {
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

  /// Makes the tracker.
  /// - Parameter frameRate: The frames per second of the video, above 0 and at most 10,000, which decide how many frames
  ///   `FoveaTracker` and `ByteTrack` keep an object that no one sees; nil keeps what the parameters say.
  /// - Returns: The tracker, before its first frame.
  /// - Throws: `invalid-parameter`, naming the parameter, its value and its range.
  public func makeTracker(frameRate: Double? = nil) throws(TrackingError) -> any MultiObjectTracker {
    switch try at(frameRate: frameRate) {
    case .fovea(let configuration): try FoveaTracker(configuration: configuration)
    case .byteTrack(let configuration): try ByteTrack(configuration: configuration)
    case .ocSort(let configuration): try OCSORT(configuration: configuration)
    case .sort(let configuration): try SORT(configuration: configuration)
    }
  }

  /// The same choice for a video of so many frames per second.
  func at(frameRate: Double?) throws(TrackingError) -> Tracker {
    guard let frameRate else { return self }
    // One range for all of them.
    var rate = FoveaTracker.Configuration()
    rate.frameRate = frameRate
    try rate.validate()
    switch self {
    case .fovea(var configuration):
      configuration.frameRate = frameRate
      return .fovea(configuration)
    case .byteTrack(var configuration):
      // The authors keep objects for a second.
      if configuration.maxAge == nil { configuration.maxAge = Int(frameRate) }
      return .byteTrack(configuration)
    case .ocSort, .sort: return self
    }
  }
}
