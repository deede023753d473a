// SPDX-License-Identifier: Apache-2.0

extension FoveaTracker.Configuration {
  /// Checks that each parameter is in its range.
  /// - Throws: `invalid-parameter`, naming the parameter, its value and the range.
  public func validate() throws(TrackingError) {
    try Self.check(frameRate, "frameRate", 0.001...10_000)
    try Self.check(lowScore, "lowScore", 0...1)
    try Self.check(highScore, "highScore", lowScore...1)
    try Self.check(birthScore, "birthScore", highScore...1)
    try Self.check(buffer, "buffer", 0...2)
    try Self.check(bufferedOverlap, "bufferedOverlap", 0...1)
    try Self.check(firstLimit, "firstLimit", 0...2)
    try Self.check(secondLimit, "secondLimit", 0...2)
    try Self.check(tentativeLimit, "tentativeLimit", 0...2)
    try Self.check(scoreWeight, "scoreWeight", 0...1)
    try Self.check(positionNoise, "positionNoise", 0.0001...1)
    try Self.check(velocityNoise, "velocityNoise", 0.0001...1)
    try Self.check(movedNoiseFactor, "movedNoiseFactor", 1...1000)
    try Self.check(minHits, "minHits", 1...1000)
    try Self.check(maxAge, "maxAge", 0...3600)
    try Self.check(minAgeFrames, "minAgeFrames", 0...1_000_000)
    try Self.check(maxAgeFrames, "maxAgeFrames", minAgeFrames...1_000_000)
    try Self.check(duplicateOverlap, "duplicateOverlap", 0...1)
    try Self.check(firstIdentity, "firstIdentity", -1_000_000_000...1_000_000_000)
    if let objectLimit { try Self.check(objectLimit, "objectLimit", 1...100_000) }
    try Self.check(detectionLimit, "detectionLimit", 1...100_000)
  }

  private static func check<Value>(
    _ value: Value, _ name: String, _ range: ClosedRange<Value>
  ) throws(TrackingError) {
    guard !range.contains(value) else { return }
    throw TrackingError(
      code: .invalidParameter,
      message:
        "the tracker's '\(name)' is \(value); it may be from \(range.lowerBound) to \(range.upperBound)",
      remedy: "Give a value in that range")
  }
}
