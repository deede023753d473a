// SPDX-License-Identifier: Apache-2.0

extension OCSORT {
  /// The parameters of OC-SORT.
  public struct Configuration: Sendable, Hashable {
    /// The lowest score that is associated, 0…1; 0.6 by default.
    ///
    /// Each detection with at least this score that fits no object begins one. Raising it loses half-hidden objects; lowering it begins
    /// false ones.
    public var minScore = 0.6
    /// The least IoU of a pair, 0…1; 0.3 by default.
    ///
    /// Raising it loses fast objects; lowering it confuses close ones.
    public var minOverlap = 0.3
    /// How many detections in a row show an object, the first not counted, 0…1000; 3 by default.
    ///
    /// Raising it shows fewer false objects and true ones later.
    public var minHits = 3
    /// How many frames an object that no one sees is kept, 0…10,000; 30 by default.
    ///
    /// Raising it bridges longer occlusions and gives more identities to strangers.
    public var maxAge = 30
    /// How many frames back the direction of an object is measured, 1…30; 3 by default.
    ///
    /// Raising it gives a calmer direction that turns later.
    public var directionSpan = 3
    /// What a direction that fits adds to the IoU of a pair at most, 0…2; 0.2 by default, as the paper has.
    ///
    /// Raising it trusts directions more than places.
    public var directionWeight = 0.2
    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The most detections of one frame that are associated, those of the highest scores, 1…100,000; 1,000 by default.
    public var detectionLimit = 1000

    /// Makes the default configuration.
    public init() {}
  }
}

extension OCSORT.Configuration: ParameterSet {
  /// Checks that each parameter is in its range.
  /// - Throws: `invalid-parameter`, naming the parameter, its value and the range.
  public func validate() throws(TrackingError) { try check() }

  /// Reads a JSON object with any of the parameters; those that it does not name keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` or `invalid-configuration`.
  public mutating func read(json: [UInt8]) throws(TrackingError) { try take(json: json) }

  var parameters: [Parameter<Self>] {
    [
      .number("minScore", \.minScore, 0...1),
      .number("minOverlap", \.minOverlap, 0...1),
      .count("directionSpan", \.directionSpan, 1...30),
      .number("directionWeight", \.directionWeight, 0...2),
      .count("minHits", \.minHits, 0...1000),
      .count("maxAge", \.maxAge, 0...10_000),
      .count("firstIdentity", \.firstIdentity, -1_000_000_000...1_000_000_000),
      .count("detectionLimit", \.detectionLimit, 1...100_000),
    ]
  }
}
