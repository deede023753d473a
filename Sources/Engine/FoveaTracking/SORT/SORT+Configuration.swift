// SPDX-License-Identifier: Apache-2.0

extension SORT {
  /// The parameters of SORT.
  public struct Configuration: Sendable, Hashable {
    /// The lowest score that is associated, 0…1; 0.6 by default.
    ///
    /// Each detection with at least this score that matches no object starts one. Raising it loses
    /// half-hidden objects; lowering it starts false ones.
    public var minScore = 0.6
    /// The smallest IoU of a pair, 0…1; 0.3 by default.
    ///
    /// Raising it loses fast objects; lowering it confuses close ones.
    public var minOverlap = 0.3
    /// The consecutive detections that confirm an object, not counting the first, 0…1000; 3 by default.
    ///
    /// Raising it reports fewer false objects, and true ones later.
    public var minHits = 3
    /// The number of frames that an unseen object is kept, 0…10,000; 30 by default.
    ///
    /// The paper uses 1. Raising it bridges longer occlusions, but gives more identities to the wrong
    /// objects.
    public var maxAge = 30
    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The largest number of detections per frame that are associated, those with the highest scores,
    /// 1…100,000; 1,000 by default.
    public var detectionLimit = 1000

    /// Creates the default configuration.
    public init() {}
  }
}

extension SORT.Configuration: ParameterSet {
  /// Validates that each parameter is in its range.
  /// - Throws: `invalid-parameter` with the parameter, its value and its range.
  package func validate() throws(TrackingError) { try check() }

  /// Reads parameters from a JSON object; parameters that it does not contain keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` or `invalid-configuration`.
  package mutating func read(json: [UInt8]) throws(TrackingError) { try take(json: json) }

  var parameters: [Parameter<Self>] {
    [
      .number("minScore", \.minScore, 0...1),
      .number("minOverlap", \.minOverlap, 0...1),
      .count("minHits", \.minHits, 0...1000),
      .count("maxAge", \.maxAge, 0...10_000),
      .count("firstIdentity", \.firstIdentity, -1_000_000_000...1_000_000_000),
      .count("detectionLimit", \.detectionLimit, 1...100_000),
    ]
  }
}
