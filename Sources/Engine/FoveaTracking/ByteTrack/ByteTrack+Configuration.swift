// SPDX-License-Identifier: Apache-2.0

extension ByteTrack {
  /// The parameters of ByteTrack.
  public struct Configuration: Sendable, Hashable {
    /// The score above which detections are associated, 0…1; 0.1 by default.
    ///
    /// Raising it loses half-hidden objects; lowering it lets noise prolong tracks.
    public var lowScore = 0.1
    /// The score above which detections take part in the first stage, 0…1; 0.6 by default.
    ///
    /// Raising it leaves more to the second stage, which only prolongs tracks; the first also recovers lost
    /// objects.
    public var highScore = 0.6
    /// The lowest score that starts an object, 0…1; 0.7 by default.
    ///
    /// Raising it starts fewer false objects, and true ones later.
    public var birthScore = 0.7
    /// The largest cost of a pair in the first stage (1 − IoU × score), 0…1; 0.9 by default.
    ///
    /// Raising it loses fewer objects and confuses more.
    public var firstLimit = 0.9
    /// The largest cost of a pair in the second stage (1 − IoU), 0…1; 0.5 by default.
    public var secondLimit = 0.5
    /// The largest cost of a pair with an object that was first seen in the previous frame (1 − IoU × score),
    /// 0…1; 0.7 by default.
    public var tentativeLimit = 0.7
    /// The IoU above which a lost object and a visible one are the same, 0…1; 0.85 by default.
    ///
    /// The object that was tracked for longer is kept.
    public var duplicateOverlap = 0.85
    /// The number of frames that an unseen object is kept, 0…10,000; the default, nil, is one second.
    ///
    /// One second is 30 frames if the frame rate is unknown. Raising it bridges longer occlusions, but gives
    /// more identities to the wrong objects.
    public var maxAge: Int?
    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The largest number of detections per frame that are associated, those with the highest scores,
    /// 1…100,000; 1,000 by default.
    public var detectionLimit = 1000

    /// Creates the default configuration.
    public init() {}

    /// The number of frames that an unseen object is kept.
    var ageLimit: Int {
      get { maxAge ?? 30 }
      set { maxAge = newValue }
    }
  }
}

extension ByteTrack.Configuration: ParameterSet {
  /// Validates that each parameter is in its range.
  /// - Throws: `invalid-parameter` with the parameter, its value and its range.
  package func validate() throws(TrackingError) { try check() }

  /// Reads parameters from a JSON object; parameters that it does not contain keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` or `invalid-configuration`.
  package mutating func read(json: [UInt8]) throws(TrackingError) { try take(json: json) }

  var parameters: [Parameter<Self>] {
    [
      .number("lowScore", \.lowScore, 0...1),
      .number("highScore", \.highScore, 0...1),
      .number("birthScore", \.birthScore, 0...1),
      .number("firstLimit", \.firstLimit, 0...1),
      .number("secondLimit", \.secondLimit, 0...1),
      .number("tentativeLimit", \.tentativeLimit, 0...1),
      .number("duplicateOverlap", \.duplicateOverlap, 0...1),
      .count("maxAge", \.ageLimit, 0...10_000),
      .count("firstIdentity", \.firstIdentity, -1_000_000_000...1_000_000_000),
      .count("detectionLimit", \.detectionLimit, 1...100_000),
    ]
  }
}
