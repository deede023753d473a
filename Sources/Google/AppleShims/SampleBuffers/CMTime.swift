// SPDX-License-Identifier: Apache-2.0

/// The numerator of a time.
public typealias CMTimeValue = Int64
/// The denominator of a time: units per second.
public typealias CMTimeScale = Int32
/// A number that distinguishes times of different timelines.
public typealias CMTimeEpoch = Int64

/// The kind of a time.
///
/// The bits are Apple's.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Creates flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The time is valid.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// The value was rounded.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  /// Later than all others.
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  /// Before all others.
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  /// Unknown.
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// Any of the three flags above.
  public static let impliedValueFlagsMask = CMTimeFlags(rawValue: 28)
}

/// A time as a fraction: `value` ÷ `timescale` seconds.
public struct CMTime: Sendable {
  /// The numerator.
  public var value: CMTimeValue
  /// The denominator: units per second.
  public var timescale: CMTimeScale
  /// The kind of the time.
  public var flags: CMTimeFlags
  /// A number that distinguishes times of different timelines.
  public var epoch: CMTimeEpoch

  /// Creates an invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// Creates a time from its parts.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Creates a time of `value` ÷ `timescale` seconds; invalid if `timescale` is not above 0.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// Creates a time from seconds.
  /// - Parameters:
  ///   - seconds: The time; infinite values become `positiveInfinity` and `negativeInfinity`, NaN becomes
  ///     `invalid`.
  ///   - preferredTimescale: The units per second; halved until the value fits. `invalid` if it is not above
  ///     0.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    guard !seconds.isNaN, preferredTimescale > 0 else {
      self = .invalid
      return
    }
    guard seconds.isFinite else {
      self = seconds > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    var scale = preferredTimescale
    while abs(seconds * Double(scale)) >= 0x1p62, scale > 1 { scale /= 2 }
    let exact = seconds * Double(scale)
    guard abs(exact) < 0x1p63 else {
      self = exact > 0 ? .positiveInfinity : .negativeInfinity
      return
    }
    let value = exact.rounded()
    self.init(value: CMTimeValue(value), timescale: scale)
    if value != exact { flags.insert(.hasBeenRounded) }
  }

  /// An invalid time.
  public static let invalid = CMTime()
  /// 0 seconds.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// Unknown.
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than all others.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Before all others.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  /// Whether it is valid; it may be infinite or indefinite.
  public var isValid: Bool { flags.contains(.valid) }
  /// Whether it is a finite, known time.
  public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0 }
  /// Whether it is unknown.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether it is later than all others.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  /// Whether it is before all others.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  /// Whether the value was rounded.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }

  /// The time in seconds; infinite for infinite times, NaN for invalid and indefinite ones.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    return isPositiveInfinity ? .infinity : isNegativeInfinity ? -.infinity : .nan
  }
}

/// Creates a time of `value` ÷ `timescale` seconds.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Creates a time from seconds.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the time in seconds; NaN if it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
