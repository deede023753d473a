// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// A message about one object: it came, entered a zone, stayed, or has gone.
///
/// All messages with the same `life` are about the same object, from one `start` to one `end`. Each is whole:
/// it has everything that is known about the object.
public struct ObjectEvent: Sendable, Hashable {
  /// The kind of a message; the raw value is the `event_type` in JSON.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The object is certain: the median of its last five scores has reached the threshold.
    case start
    /// The object has entered a zone.
    case entered
    /// The object has left a zone.
    case left
    /// The object has been in a zone for as long as the zone's dwell; once a visit.
    case dwell
    /// The object has crossed a line.
    case crossed
    /// The object's foot has not moved for 5 seconds.
    case still
    /// The object moves again.
    case moved
    /// The object has gone; the last message about it.
    case end
  }

  /// The reason for an `end`; the raw value is the `reason` in JSON.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The object was not seen for a second; a still one, for a minute.
    case gone
    /// The source has ended.
    case sourceEnded = "source-ended"
    /// The run was stopped.
    case stopped
    /// The run failed.
    case interrupted
  }

  /// The time that an object has been in a zone.
  public struct Stay: Sendable, Hashable {
    /// The zone's name.
    public var zone: String
    /// The seconds since the object entered.
    public var seconds: Double
  }

  /// The kind.
  public var kind: Kind
  /// The number of the object, from 1; an object keeps it when a tracker assigns a new identity to it.
  public var life: Int
  /// The number of the message about the object, from 1.
  public var sequence: Int
  /// The object as it was last seen.
  public var object: ObservedObject
  /// The highest score so far.
  public var topScore: Double
  /// The number of the frame; for an `end`, of the last one with the object.
  public var frame: Int
  /// The time of `frame` in seconds of the source.
  public var seconds: Double
  /// The time of the frame in which the message arose, in seconds of the source; an `end` arises after
  /// `seconds`.
  public var reportedSeconds: Double
  /// The time of the `start`, in seconds of the source.
  public var startSeconds: Double
  /// The identity at the `start`.
  public var startIdentity: Int
  /// The seconds since the `start`, never negative: steps back of the source's clock count as 0.
  public var duration: Double
  /// Whether the foot has not moved for 5 seconds.
  public var isStill: Bool
  /// The zones that the object is in after the event, in the order of the zones.
  public var stays: [Stay]
  /// The zone of an `entered`, `left` or `dwell`.
  public var zone: String?
  /// The seconds in the zone, for an `entered`, `left` or `dwell`.
  public var dwell: Double?
  /// The line of a `crossed`.
  public var line: String?
  /// The direction of a `crossed`.
  public var direction: LineCrossing.Direction?
  /// The reason of an `end`.
  public var reason: Reason?
}

/// An object in one frame, as input of events.
public struct ObservedObject: Sendable, Hashable {
  /// The identity that a tracker assigned to the object.
  public var identity: Int
  /// The label; nil if there are no labels.
  public var label: String?
  /// The score, 0…1.
  public var score: Double
  /// The box in pixels of the frame; edges may lie outside the frame.
  public var box: BoundingBox

  /// Creates an object.
  public init(identity: Int, label: String? = nil, score: Double, box: BoundingBox) {
    self.identity = identity
    self.label = label
    self.score = score
    self.box = box
  }
}

/// The stays of objects in a zone.
public struct ZoneStays: Sendable, Hashable {
  /// The number of objects inside that are still.
  public var queue = 0
  /// The longest stay of an object that is inside, in seconds; 0 if none is.
  public var longest = 0.0
  /// The number of stays that have ended.
  public var count = 0
  /// The sum of the ended stays, in seconds.
  public var total = 0.0
  /// The longest ended stay, in seconds.
  public var maximum = 0.0

  /// Creates the stays of a zone without a stay.
  package init() {}

  /// The mean of the ended stays, in seconds; nil if none has ended.
  public var mean: Double? { count > 0 ? total / Double(count) : nil }

  mutating func add(_ seconds: Double) {
    count += 1
    total += seconds
    maximum = max(maximum, seconds)
  }
}
