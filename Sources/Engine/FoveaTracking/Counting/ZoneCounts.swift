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

/// An object that entered or left a zone.
public struct ZoneEvent: Sendable, Hashable {
  /// What an object did.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// It was seen inside, for the first time or after it had left.
    case entered
    /// It was seen outside after it had been inside.
    case left
    /// It was last seen inside, and the tracker has forgotten it, or no one saw it for as long as the counter remembers.
    case vanished
  }

  /// The object.
  public var identity: Int
  /// What it did.
  public var kind: Kind
  /// The index of its class that it entered with; nil where there are no classes.
  public var classIndex: Int?

  /// Makes an event.
  public init(identity: Int, kind: Kind, classIndex: Int? = nil) {
    self.identity = identity
    self.kind = kind
    self.classIndex = classIndex
  }
}
