// SPDX-License-Identifier: Apache-2.0
#if Server
/// A moment in milliseconds since 1970-01-01T00:00:00Z, as precise as the wire shows it.
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

  /// The moment some seconds later; earlier where they are negative.
  package func advanced(seconds: Double) -> Timestamp {
    Timestamp(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
  }
}

/// Where the present comes from: the system's clock, or a test's.
package typealias Now = @Sendable () -> Timestamp
#endif
