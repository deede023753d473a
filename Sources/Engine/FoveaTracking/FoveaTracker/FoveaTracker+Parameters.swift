// SPDX-License-Identifier: Apache-2.0

extension FoveaTracker.Configuration: ParameterSet {
  /// Validates that each parameter is in its range.
  /// - Throws: `invalid-parameter` with the parameter, its value and its range.
  package func validate() throws(TrackingError) { try check() }

  /// Reads parameters from a JSON object, such as `{"maxAge": 2, "minHits": 1}`.
  ///
  /// Parameters that it does not contain keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` (with the parameter, its value and its range), or
  ///   `invalid-configuration` if the text is not a JSON object of parameters.
  package mutating func read(json: [UInt8]) throws(TrackingError) { try take(json: json) }

  var parameters: [Parameter<Self>] {
    [
      .number("frameRate", \.frameRate, 0.001...10_000),
      .number("lowScore", \.lowScore, 0...1),
      .number("highScore", \.highScore, Self.from(lowScore, to: 1)),
      .number("birthScore", \.birthScore, Self.from(highScore, to: 1)),
      .number("buffer", \.buffer, 0...2),
      .number("bufferedOverlap", \.bufferedOverlap, 0...1),
      .number("firstLimit", \.firstLimit, 0...2),
      .number("secondLimit", \.secondLimit, 0...2),
      .number("tentativeLimit", \.tentativeLimit, 0...2),
      .number("scoreWeight", \.scoreWeight, 0...1),
      .flag("perClass", \.perClass),
      .number("positionNoise", \.positionNoise, 0.0001...1),
      .number("velocityNoise", \.velocityNoise, 0.0001...1),
      .number("sizeNoiseFactor", \.sizeNoiseFactor, 0.1...10),
      .number("birthVelocityFactor", \.birthVelocityFactor, 0...1000),
      .number("movedNoiseFactor", \.movedNoiseFactor, 1...1000),
      .flag("boxConsensus", \.boxConsensus),
      .count("minHits", \.minHits, 1...1000),
      .number("maxAge", \.maxAge, 0...3600),
      .count("minAgeFrames", \.minAgeFrames, 0...1_000_000),
      .count("maxAgeFrames", \.maxAgeFrames, min(max(minAgeFrames, 0), 1_000_000)...1_000_000),
      .flag("usesTimestamps", \.usesTimestamps),
      .number("duplicateOverlap", \.duplicateOverlap, 0...1),
      .count("firstIdentity", \.firstIdentity, -1_000_000_000...1_000_000_000),
      .optionalCount("objectLimit", \.objectLimit, 1...100_000),
      .count("detectionLimit", \.detectionLimit, 1...100_000),
    ]
  }

  /// Returns the range from another parameter's value, which may be invalid.
  private static func from(_ low: Double, to high: Double) -> ClosedRange<Double> {
    // Comparisons with NaN are false.
    low >= 0 && low <= high ? low...high : 0...high
  }
}
