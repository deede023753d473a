// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension HTMLReport {
  /// One picture of a report, and what was found in it.
  public struct Picture: Sendable, Hashable {
    /// What the page calls the picture; any text, it is escaped.
    public var name: String
    /// The size of the upright picture in pixels; nil where it is not known.
    public var size: PixelSize?
    /// What was found, or why nothing could be.
    public var answer: Answer
    /// How long each stage took, in the order of the table.
    public var stages: [Stage] = []
    /// The picture itself, small; nil shows an empty frame of its proportions.
    public var thumbnail: Thumbnail?

    /// Makes a picture without stages and thumbnail.
    public init(name: String, size: PixelSize?, answer: Answer) {
      self.name = name
      self.size = size
      self.answer = answer
    }
  }

  /// What the page says of a picture.
  public enum Answer: Sendable, Hashable {
    /// Objects with their boxes, best first.
    case objects([Finding])
    /// Labels of the whole picture, best first.
    case labels([Finding])
    /// The picture failed: a stable code, what happened, and what to do next, both without a final stop.
    case failure(code: String, message: String, remedy: String)
  }

  /// One object, or one label of a whole picture.
  public struct Finding: Sendable, Hashable {
    /// The class; empty for an object without one.
    public var label: String
    /// How sure the model is, 0…1; the histogram counts values beyond in its first and last bar.
    public var score: Double
    /// Where the object is, in pixels of the upright picture; nil for a label.
    public var box: BoundingBox?

    /// Makes a finding.
    public init(label: String, score: Double, box: BoundingBox? = nil) {
      self.label = label
      self.score = score
      self.box = box
    }
  }

  /// The time of one stage for one picture.
  public struct Stage: Sendable, Hashable {
    /// The stage's name, as "decode".
    public var name: String
    /// How long it took; a stage that took no time did not run, and is not counted.
    public var duration: Duration

    /// Makes a stage.
    public init(name: String, duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }
}
