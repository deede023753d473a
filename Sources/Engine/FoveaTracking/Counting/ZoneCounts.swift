// SPDX-License-Identifier: Apache-2.0

/// The numbers of entries into and exits from a zone.
///
/// At any time `entered` equals `left` plus `vanished` plus the number of objects inside.
public struct ZoneCounts: Sendable, Hashable {
  /// The number of times an object was seen inside that was not inside in the previous frame.
  public var entered = 0
  /// The number of times an object that had been inside was seen outside.
  public var left = 0
  /// The number of times an object was forgotten that was last seen inside.
  public var vanished = 0
  /// The number of different objects that have been inside; an object that reappears after the counter has
  /// forgotten it is counted again.
  public var distinct = 0

  /// Creates counts of 0.
  package init() {}

  /// The number of objects inside.
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
  /// The kind of an event.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The object was seen inside, for the first time or after it had left.
    case entered
    /// The object was seen outside after it had been inside.
    case left
    /// The object was last seen inside, and the tracker has forgotten it, or it was not seen for as long as
    /// the counter remembers it.
    case vanished
  }

  /// The identity of the object.
  public var identity: Int
  /// The kind of the event.
  public var kind: Kind
  /// The index of the class at entry; nil if there are no classes.
  public var classIndex: Int?

  /// Creates an event.
  package init(identity: Int, kind: Kind, classIndex: Int? = nil) {
    self.identity = identity
    self.kind = kind
    self.classIndex = classIndex
  }
}
