// SPDX-License-Identifier: Apache-2.0

extension ByteTrack {
  /// The parameters of ByteTrack.
  public struct Configuration: Sendable, Hashable {
    /// The score above which detections are associated, 0…1; 0.1 by default.
    ///
    /// Raising it loses half-hidden objects; lowering it lets noise prolong tracks.
    public var lowScore = 0.1
    /// The score above which detections are in the first stage, which may bring objects back, 0…1; 0.6 by default.
    ///
    /// Raising it leaves more to the second stage, which only prolongs.
    public var highScore = 0.6
    /// The lowest score that begins an object, 0…1; 0.7 by default.
    ///
    /// Raising it begins fewer false objects and finds true ones later.
    public var birthScore = 0.7
    /// The largest cost of a pair of the first stage (1 less IoU times score), 0…1; 0.9 by default.
    ///
    /// Raising it loses fewer objects and confuses more.
    public var firstLimit = 0.9
    /// The largest cost of a pair of the second stage (1 less IoU), 0…1; 0.5 by default.
    public var secondLimit = 0.5
    /// The largest cost of a pair with an object of the frame before (1 less IoU times score), 0…1; 0.7 by default.
    public var tentativeLimit = 0.7
    /// The IoU above which a lost object and one in sight are the same, 0…1; 0.85 by default.
    ///
    /// The one that was followed for longer stays.
    public var duplicateOverlap = 0.85
    /// How many frames an object that no one sees is kept, 0…10,000; nil, the default, keeps it for a second.
    ///
    /// A second is 30 frames where the frame rate is not known. Raising it bridges longer occlusions and gives more
    /// identities to strangers.
    public var maxAge: Int?
    /// The first identity, −1,000,000,000…1,000,000,000; 1 by default.
    public var firstIdentity = 1
    /// The most detections of one frame that are associated, those of the highest scores, 1…100,000; 1,000 by default.
    public var detectionLimit = 1000

    /// Makes the default configuration.
    public init() {}

    /// The frames that an object is kept that no one sees.
    var ageLimit: Int {
      get { maxAge ?? 30 }
      set { maxAge = newValue }
    }
  }
}

extension ByteTrack.Configuration: ParameterSet {
  /// Checks that each parameter is in its range.
  /// - Throws: `invalid-parameter`, naming the parameter, its value and the range.
  public func validate() throws(TrackingError) { try check() }

  /// Reads a JSON object with any of the parameters; those that it does not name keep their values.
  /// - Parameter json: The text of the object, in UTF-8.
  /// - Throws: `unknown-parameter`, `invalid-parameter` or `invalid-configuration`.
  public mutating func read(json: [UInt8]) throws(TrackingError) { try take(json: json) }

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
