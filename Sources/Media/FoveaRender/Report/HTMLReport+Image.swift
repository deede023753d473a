// SPDX-License-Identifier: Apache-2.0

public import Fovea
public import FoveaGeometry

extension HTMLReport {
  /// One image of a report, with its results.
  public struct Image: Sendable, Hashable {
    /// The name of the image on the page; any text, which is escaped.
    public var name: String
    /// The size of the upright image in pixels; nil if it is not known.
    public var size: PixelSize?
    /// The findings, or the failure.
    public var answer: Answer
    /// The time of each stage, in the order of the table.
    public var stages: [Stage] = []
    /// The thumbnail; nil shows an empty frame of the same proportions.
    public var thumbnail: Thumbnail?

    /// Creates an image without stages and thumbnail.
    public init(name: String, size: PixelSize?, answer: Answer) {
      self.name = name
      self.size = size
      self.answer = answer
    }
  }

  /// The result for an image.
  public enum Answer: Sendable, Hashable {
    /// Objects with their boxes, best first.
    case objects([Finding])
    /// Labels of the whole image, best first.
    case labels([Finding])
    /// The class of each part of the image, in pixels of the upright image.
    ///
    /// The map is drawn on the images of ``HTMLReport/Options/thumbnailLimit``, each class but the background
    /// in 40 % of its colour, and the share of each class is listed.
    case map(SegmentationMap)
    /// The image failed: a stable code, the message and the remedy, both without a full stop.
    case failure(code: String, message: String, remedy: String)

    /// The findings; nil for an image that failed.
    var findings: [Finding]? {
      switch self {
      case .objects(let found), .labels(let found): found
      case .map(let map): Finding.shares(of: map)
      case .failure: nil
      }
    }
  }

  /// One object, or one label of a whole image.
  public struct Finding: Sendable, Hashable {
    /// The class; empty for an object without one.
    public var label: String
    /// The score, 0…1; the histogram counts values out of range in its first or last bar.
    public var score: Double
    /// The box of the object, in pixels of the upright image; nil for a label.
    public var box: BoundingBox?
    /// The shape of the object, in pixels of the upright image; nil, the default, for none.
    ///
    /// It is filled with 30 % of the colour, and its box has a thin line. Masks are drawn on the images of
    /// ``HTMLReport/Options/thumbnailLimit``, up to 2,000 points in an image.
    public var mask: ObjectMask?
    /// The rotated box of the object, in pixels of the upright image; nil, the default, for none.
    ///
    /// It is drawn in place of ``box``.
    public var orientedBox: OrientedBox?
    /// The keypoints of the object, in pixels of the upright image; empty by default.
    ///
    /// They are drawn on the images of ``HTMLReport/Options/thumbnailLimit``, within the limit of masks.
    public var keypoints: [PixelPoint]
    /// The probability of each keypoint to be visible; those below
    /// ``HTMLReport/Options/keypointThreshold`` are not drawn.
    ///
    /// Empty, the default, draws all.
    public var keypointScores: [Float]
    /// The lines between the keypoints, and their sides of the body, which are drawn in three tones; nil, the
    /// default, draws only points.
    public var keypointSet: KeypointSet?
    /// The colour of the class on the page.
    var tone = Tone.ofName

    /// Creates a finding.
    public init(
      label: String, score: Double, box: BoundingBox? = nil, mask: ObjectMask? = nil,
      orientedBox: OrientedBox? = nil, keypoints: [PixelPoint] = [], keypointScores: [Float] = [],
      keypointSet: KeypointSet? = nil
    ) {
      self.label = label
      self.score = score
      self.box = box
      self.mask = mask
      self.orientedBox = orientedBox
      self.keypoints = keypoints
      self.keypointScores = keypointScores
      self.keypointSet = keypointSet
    }
  }

  /// The time of one stage for one image.
  public struct Stage: Sendable, Hashable {
    /// The stage's name, such as "decode".
    public var name: String
    /// The duration; zero means that the stage did not run, and is not counted.
    public var duration: Duration

    /// Creates a stage.
    public init(name: String, duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }
}

extension HTMLReport.Finding {
  /// The colour of a class on the page.
  enum Tone: Sendable, Hashable {
    /// The colour of the class's name.
    case ofName
    /// The colour in which a map paints the class; nil for the background, which is not painted.
    case painted(RGBColor?)
  }

  /// Returns the classes of a map with their shares as scores, the largest first.
  static func shares(of map: SegmentationMap) -> [HTMLReport.Finding] {
    let colors = MapColors(map)
    return map.shares.map { part in
      var finding = HTMLReport.Finding(label: part.label ?? "class \(part.classIndex)", score: part.share)
      finding.tone = .painted(colors.color(ofClass: part.classIndex))
      return finding
    }
  }
}
