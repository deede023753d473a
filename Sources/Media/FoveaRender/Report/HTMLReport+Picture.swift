// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension HTMLReport {
  /// One image of a report, and what was found in it.
  public struct Picture: Sendable, Hashable {
    /// What the page calls the image; any text, it is escaped.
    public var name: String
    /// The size of the upright image in pixels; nil where it is not known.
    public var size: PixelSize?
    /// What was found, or why nothing could be.
    public var answer: Answer
    /// How long each stage took, in the order of the table.
    public var stages: [Stage] = []
    /// The image itself, small; nil shows an empty frame of its proportions.
    public var thumbnail: Thumbnail?

    /// Makes an image without stages and thumbnail.
    public init(name: String, size: PixelSize?, answer: Answer) {
      self.name = name
      self.size = size
      self.answer = answer
    }
  }

  /// What the page shows of an image.
  public enum Answer: Sendable, Hashable {
    /// Objects with their boxes, best first.
    case objects([Finding])
    /// Labels of the whole image, best first.
    case labels([Finding])
    /// The image failed: a stable code, what happened, and what to do next, both without a final stop.
    case failure(code: String, message: String, remedy: String)

    /// What was found; nil for an image that failed.
    var findings: [Finding]? {
      switch self {
      case .objects(let found), .labels(let found): found
      case .failure: nil
      }
    }
  }

  /// One object, or one label of a whole image.
  public struct Finding: Sendable, Hashable {
    /// The class; empty for an object without one.
    public var label: String
    /// How sure the model is, 0…1; the histogram counts values beyond in its first and last bar.
    public var score: Double
    /// Where the object is, in pixels of the upright image; nil for a label.
    public var box: BoundingBox?

    /// Makes a finding.
    public init(label: String, score: Double, box: BoundingBox? = nil) {
      self.label = label
      self.score = score
      self.box = box
    }
  }

  /// The time of one stage for one image.
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
