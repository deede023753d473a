// SPDX-License-Identifier: Apache-2.0
#if Server
/// A time in milliseconds since 1970-01-01T00:00:00Z, the precision of the wire format.
package struct Timestamp: Sendable, Codable, Hashable, Comparable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  package static func < (first: Self, second: Self) -> Bool { first.milliseconds < second.milliseconds }

  /// Returns the time some seconds later; earlier if they are negative.
  package func advanced(seconds: Double) -> Timestamp {
    Timestamp(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
  }
}

/// The source of the present time: the system's clock, or a test's.
package typealias Now = @Sendable () -> Timestamp
#endif
