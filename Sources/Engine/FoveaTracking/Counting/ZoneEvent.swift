// SPDX-License-Identifier: Apache-2.0

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
