// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
public import FoveaGeometry

extension YOLOLines {
  /// The number of keypoints of each object, and of numbers for each keypoint: `kpt_shape` of a `data.yaml`.
  ///
  /// **Source:** Ultralytics, "Pose Estimation Datasets Overview", YOLO format and dataset YAML format.
  public struct KeypointShape: Sendable, Hashable {
    /// The number of keypoints of an object.
    public let count: Int
    /// The count of numbers for each keypoint: 2 for x and y, 3 with the visibility.
    public let dimensions: Int

    /// The maximum number of keypoints.
    static let limit = 10_000

    /// Creates a shape; nil unless `count` is 1 to 10,000 and `dimensions` is 2 or 3.
    public init?(count: Int, dimensions: Int = 3) {
      guard (1...KeypointShape.limit).contains(count), (2...3).contains(dimensions) else { return nil }
      self.count = count
      self.dimensions = dimensions
    }

    /// The number of fields of a line without a score.
    var fields: Int { 5 + count * dimensions }

    /// The content of many lines, for messages.
    var words: String { "\(DecimalText.counted(count, "keypoint", "keypoints")) of \(dimensions) numbers" }
  }

  /// Returns one line of an object with keypoints, with a newline.
  ///
  /// Without a score, as training tools expect, each keypoint is x, y and its visibility: 2 if its score is
  /// at least `keypointThreshold`, 1 if it is at least 0.05, and otherwise three zeros. Keypoints are moved
  /// into the image, because training tools reject labels with points outside. With a score, each keypoint's
  /// own score takes the place of the visibility, and the keypoint may lie up to half a side outside.
  /// - Parameters:
  ///   - number: The class, as `classes.txt` numbers it.
  ///   - box: The box in pixels, which is cut to the image.
  ///   - keypoints: The keypoints in pixels.
  ///   - keypointScores: The score of each keypoint, 0…1; if there are not as many as keypoints, all are 1.
  ///   - size: The size of the image.
  ///   - score: The score at the end of the line; nil writes none.
  ///   - keypointThreshold: The least score of a visible keypoint; 0.3 by default.
  /// - Returns: The line.
  public static func line(
    class number: Int, box: BoundingBox, keypoints: [PixelPoint], keypointScores: [Float] = [],
    size: PixelSize, score: Float? = nil, keypointThreshold: Float = 0.3
  ) -> String {
    let hasScores = keypointScores.count == keypoints.count
    var line = String(line(class: number, box: box, size: size).dropLast())
    for (index, point) in keypoints.enumerated() {
      let own = hasScores ? keypointScores[index] : 1
      let visibility = KeypointVisibility(score: own, threshold: keypointThreshold)
      let isWritten = score != nil || visibility != .unlabelled
      let range = score == nil ? 0...1 : shareRange
      for place in isWritten ? shares(of: point, in: size, within: range) : [0, 0] {
        line += " " + DecimalText.fixed(place, places: 6)
      }
      // A comparison, so that a score that is not a number is 0.
      line +=
        score == nil
        ? " \(visibility.rawValue)" : " " + DecimalText.fixed(own > 0 ? Double(min(own, 1)) : 0, places: 6)
    }
    if let score { line += " " + DecimalText.fixed(Double(score), places: 6) }
    return line + "\n"
  }

  /// Returns the line of an object among objects with keypoints; an object with another number of keypoints
  /// gets unlabelled ones.
  static func line(
    of object: DetectedObject, keypoints shape: KeypointShape, class number: Int, size: PixelSize,
    score: Float?, keypointThreshold: Float
  ) -> String {
    let hasPoints = object.keypoints.count == shape.count
    return line(
      class: number, box: object.box,
      keypoints: hasPoints
        ? object.keypoints : [PixelPoint](repeating: PixelPoint(x: 0, y: 0), count: shape.count),
      keypointScores: hasPoints ? object.keypointScores : [Float](repeating: 0, count: shape.count),
      size: size, score: score, keypointThreshold: keypointThreshold)
  }

  /// Reads the file of one image whose objects have keypoints.
  /// - Parameters:
  ///   - path: The label file.
  ///   - keypoints: The number of keypoints of each line, and of numbers for each keypoint: `kpt_shape` of
  ///     the `data.yaml`.
  ///   - size: The size of its image, in pixels.
  ///   - classes: The names of the classes, one for each line of `classes.txt`.
  /// - Returns: The objects in the order of the lines; the score is 1 if a line has none. `keypointScores` is
  ///   1 for a visible keypoint, 0.25 for a hidden one and 0 for an unlabelled one, or the number itself if
  ///   it is a score; it is empty if there is no visibility and all points are labelled. A point of two
  ///   numbers is unlabelled if one is negative.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public static func read(
    path: String, keypoints: KeypointShape, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader.file(path), .keypoints, keypoints, size, classes)
  }

  /// Reads text in the same format; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine`.
  public static func read(
    text: [UInt8], name: String, keypoints: KeypointShape, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader(bytes: text, name: name), .keypoints, keypoints, size, classes)
  }

  /// Returns the object of a line with keypoints; without a `shape`, each has three numbers, and there are as
  /// many as the line has.
  static func keypointObject(
    _ reader: borrowing LineReader, _ line: Range<Int>, _ fields: LineFields, _ shape: KeypointShape?,
    _ size: PixelSize, _ classes: [String]
  ) throws(EvaluationError) -> DetectedObject {
    func failure(_ problem: String) -> EvaluationError {
      reader.failure(problem, remedy: Self.keypointRemedy)
    }
    let known = shape ?? KeypointShape(count: (fields.count - 5) / 3)
    guard let known, (0...1).contains(fields.count - known.fields) else {
      let expected =
        shape.map { "a class, a box and \($0.words) are \($0.fields), or \($0.fields + 1) with a score" }
        ?? "a class, a box and three for each keypoint are expected"
      throw failure(
        "\(LineFields.shown(reader.bytes, line)) has"
          + " \(DecimalText.counted(fields.count, "number", "numbers")); \(expected)")
    }
    func number(_ index: Int, _ range: ClosedRange<Double>, _ name: String, _ expected: String)
      throws(EvaluationError) -> Double
    {
      let field = fields.ranges[index]
      guard let number = NumberText.double(reader.bytes, field), range.contains(number) else {
        throw reader.failure(
          "the \(name) is \(LineFields.shown(reader.bytes, field)); expected \(expected)",
          remedy: expected == fraction ? fractionRemedy : keypointRemedy)
      }
      return number
    }
    let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let first = try number(0, 0...Double(Int32.max), "class", "a whole number from 0")
    guard let index = Int(exactly: first) else {
      throw failure(
        "the class is \(LineFields.shown(reader.bytes, fields.ranges[0])); expected a whole number from 0")
    }
    let hasScore = fields.count > known.fields
    let score = hasScore ? Float(try number(fields.count - 1, all, "score", "a number")) : 1
    let (width, height) = (Double(size.width), Double(size.height))
    let boxWidth = try number(3, sizeRange, "width", fraction) * width
    let boxHeight = try number(4, sizeRange, "height", fraction) * height
    var object = DetectedObject(
      box: BoundingBox(
        x: try number(1, shareRange, "x of the centre", fraction) * width - boxWidth / 2,
        y: try number(2, shareRange, "y of the centre", fraction) * height - boxHeight / 2,
        width: boxWidth, height: boxHeight),
      score: score,
      labels: [Label(text: index < classes.count ? classes[index] : nil, index: index, confidence: score)])
    for point in 0..<known.count {
      let start = 5 + point * known.dimensions
      let x = try number(start, shareRange, "x of keypoint \(point + 1)", fraction)
      let y = try number(start + 1, shareRange, "y of keypoint \(point + 1)", fraction)
      object.keypoints.append(PixelPoint(x: x * width, y: y * height))
      guard known.dimensions == 3 else {
        object.keypointScores.append(x < 0 || y < 0 ? 0 : 1)
        continue
      }
      let name = "visibility of keypoint \(point + 1)"
      let expected = "0, 1, 2 or a score from 0 to 1"
      let value = try number(start + 2, 0...2, name, expected)
      guard value <= 1 || value == 2 else {
        let shown = LineFields.shown(reader.bytes, fields.ranges[start + 2])
        throw failure("the \(name) is \(shown); expected \(expected)")
      }
      let flag = hasScore ? nil : Int(exactly: value).flatMap(KeypointVisibility.init(rawValue:))
      object.keypointScores.append(flag?.score ?? Float(min(value, 1)))
    }
    if known.dimensions == 2, object.keypointScores.allSatisfy({ $0 == 1 }) { object.keypointScores = [] }
    return object
  }

  private static let keypointRemedy: Advice =
    "Each line is class, centre x and y, width and height, and the numbers of each keypoint as 'kpt_shape' in"
    + " data.yaml counts them: x and y as fractions of the image's sides, then the visibility if there are"
    + " three"
}
