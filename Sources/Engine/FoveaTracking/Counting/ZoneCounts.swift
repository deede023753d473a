// SPDX-License-Identifier: Apache-2.0

/// How often a zone was entered and left.
///
/// At every moment `entered` is `left` plus `vanished` plus the number of objects inside.
public struct ZoneCounts: Sendable, Hashable {
  /// How often an object was seen inside that had not been inside the frame before.
  public var entered = 0
  /// How often an object that had been inside was seen outside.
  public var left = 0
  /// How often an object was forgotten that was inside when it was last seen.
  public var vanished = 0
  /// How many different objects were inside at some time; one that comes back after the counter has forgotten it counts
  /// again.
  public var distinct = 0

  /// Nothing counted.
  public init() {}

  /// How many objects are inside.
  public var inside: Int { entered - left - vanished }

  mutating func add(_ kind: ZoneEvent.Kind, isFirst: Bool) {
    switch kind {
    case .entered: entered += 1
    case .left: left += 1
    case .vanished: vanished += 1
    }
    if isFirst { distinct += 1 }
  }
}
