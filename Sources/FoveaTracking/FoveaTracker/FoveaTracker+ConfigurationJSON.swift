// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension FoveaTracker.Configuration: Decodable {
  /// Any key, so that one that no parameter has is found.
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads the parameters that are given; the others keep their defaults.
  /// - Throws: `TrackingError` with `unknown-parameter` for a key that no parameter has; the decoder's error for a value
  ///   of another kind.
  public init(from decoder: any Decoder) throws {
    self.init()
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let key = keys.filter({ !known.contains($0) }).min() {
      throw TrackingError(
        code: .unknownParameter, message: "the tracker has no parameter '\(key)'",
        remedy: "Use one of \(CodingKeys.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ value: inout Value, _ key: CodingKeys) throws {
      if let given = try container.decodeIfPresent(Value.self, forKey: key) { value = given }
    }
    try read(&frameRate, .frameRate)
    try read(&lowScore, .lowScore)
    try read(&highScore, .highScore)
    try read(&birthScore, .birthScore)
    try read(&buffer, .buffer)
    try read(&bufferedOverlap, .bufferedOverlap)
    try read(&firstLimit, .firstLimit)
    try read(&secondLimit, .secondLimit)
    try read(&tentativeLimit, .tentativeLimit)
    try read(&scoreWeight, .scoreWeight)
    try read(&perClass, .perClass)
    try read(&positionNoise, .positionNoise)
    try read(&velocityNoise, .velocityNoise)
    try read(&movedNoiseFactor, .movedNoiseFactor)
    try read(&boxConsensus, .boxConsensus)
    try read(&minHits, .minHits)
    try read(&maxAge, .maxAge)
    try read(&minAgeFrames, .minAgeFrames)
    try read(&maxAgeFrames, .maxAgeFrames)
    try read(&usesTimestamps, .usesTimestamps)
    try read(&duplicateOverlap, .duplicateOverlap)
    try read(&firstIdentity, .firstIdentity)
    objectLimit = try container.decodeIfPresent(Int.self, forKey: .objectLimit)
    try read(&detectionLimit, .detectionLimit)
  }

  /// Reads a JSON object with any of the parameters, such as `{"maxAge": 2, "minHits": 1}`.
  /// - Parameters:
  ///   - json: The text of the object, in UTF-8.
  ///   - frameRate: The frames per second where the object does not say.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (naming the parameter, its value and its range), or
  ///   `invalid-configuration` where the text is no such object.
  public init(json: [UInt8], frameRate: Double = 30) throws(TrackingError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
      let names = try JSONDecoder().decode([String: Ignored].self, from: Data(json))
      if names[CodingKeys.frameRate.rawValue] == nil { self.frameRate = frameRate }
    } catch let error as TrackingError {
      throw error
    } catch {
      throw Self.invalid(error)
    }
    try validate()
  }

  /// A value of any kind.
  private struct Ignored: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private static func invalid(_ error: any Error) -> TrackingError {
    var message = "the tracker's configuration is no JSON object"
    if case DecodingError.typeMismatch(_, let context) = error, let key = context.codingPath.last {
      message = "the tracker's '\(key.stringValue)' has a value of the wrong kind"
    }
    if case DecodingError.dataCorrupted(let context) = error, let key = context.codingPath.last {
      message = "the tracker's '\(key.stringValue)' has a value of the wrong kind"
    }
    return TrackingError(
      code: .invalidConfiguration, message: message,
      remedy: "Write an object of numbers, true and false, such as {\"maxAge\": 2, \"minHits\": 1}")
  }
}
