// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
public import FoveaGeometry

/// The lines of one image's YOLO file: class, and centre, width and height of the box, with keypoints after
/// it if there are any, or the points of a shape, as fractions of the image's sides.
///
/// **Source:** Ultralytics, "Object Detection Datasets Overview", "Instance Segmentation Datasets Overview",
/// "Oriented Bounding Box Datasets Overview" and "Pose Estimation Datasets Overview", YOLO format; Darknet's
/// `read_boxes`.
public enum YOLOLines {
  /// The content of the lines, by the name of its task in YOLO's tools.
  public enum Shape: String, Sendable, Hashable, CaseIterable {
    /// Centre, width and height of the box.
    case box = "detect"
    /// The points of the outline, at least three.
    case outline = "segment"
    /// The four corners of the rotated box.
    case rotatedBox = "obb"
    /// The box, and three numbers for each keypoint: x, y and the visibility.
    case keypoints = "pose"

    /// The content of many lines, for messages.
    var words: String {
      switch self {
      case .box: "boxes"
      case .outline: "outlines"
      case .rotatedBox: "rotated boxes"
      case .keypoints: "keypoints"
      }
    }
  }

  /// Returns one line with a newline.
  /// - Parameters:
  ///   - number: The class, as `classes.txt` numbers it.
  ///   - box: The box in pixels, which is cut to the image.
  ///   - size: The size of the image.
  ///   - score: The score at the end of the line; nil writes none, as training tools expect.
  /// - Returns: The line.
  public static func line(class number: Int, box: BoundingBox, size: PixelSize, score: Float? = nil) -> String
  {
    let visible = box.clamped(to: size)
    let width = Double(max(1, size.width))
    let height = Double(max(1, size.height))
    return line(
      number,
      [visible.midX / width, visible.midY / height, visible.width / width, visible.height / height], score)
  }

  /// Returns one line of a shape with a newline.
  /// - Parameters:
  ///   - number: The class, as `classes.txt` numbers it.
  ///   - points: The points of an outline or the corners of a rotated box, in pixels; each is moved into the
  ///     image, because training tools reject labels with points outside.
  ///   - size: The size of the image.
  ///   - score: The score at the end of the line; nil writes none, as training tools expect.
  /// - Returns: The line.
  public static func line(
    class number: Int, points: [PixelPoint], size: PixelSize, score: Float? = nil
  ) -> String {
    line(number, points.flatMap { shares(of: $0, in: size) }, score)
  }

  /// Returns x and y of a point as fractions of the image's sides, moved into a range.
  static func shares(
    of point: PixelPoint, in size: PixelSize, within range: ClosedRange<Double> = 0...1
  ) -> [Double] {
    guard size.area > 0 else { return [0, 0] }
    return [point.x / Double(size.width), point.y / Double(size.height)]
      .map { min(max($0, range.lowerBound), range.upperBound) }
  }

  private static func line(_ number: Int, _ numbers: [Double], _ score: Float?) -> String {
    let all = numbers + (score.map { [Double($0)] } ?? [])
    return "\(number) " + all.map { DecimalText.fixed($0, places: 6) }.joined(separator: " ") + "\n"
  }

  /// Returns the line of an object.
  ///
  /// An object without the shape, which no model returns among others with it, has the corners of its box. An
  /// object whose mask has no pixel in the image has no line among outlines.
  static func line(
    of object: DetectedObject, as form: YOLOForm, class number: Int, size: PixelSize, score: Float?,
    keypointThreshold: Float = KeypointVisibility.usualThreshold
  ) -> String {
    if let shape = form.keypoints {
      return line(
        of: object, keypoints: shape, class: number, size: size, score: score,
        keypointThreshold: keypointThreshold)
    }
    var points: [PixelPoint]?
    switch form.shape {
    case .box, .keypoints: return line(class: number, box: object.box, size: size, score: score)
    case .outline:
      if let mask = object.mask {
        guard let outline = mask.clamped(to: size).largestOutline else { return "" }
        points = outline
      }
    case .rotatedBox: points = object.orientedBox.flatMap { $0.isEmpty ? nil : $0.corners }
    }
    return line(class: number, points: points ?? corners(of: object.box), size: size, score: score)
  }

  /// Returns the corners of a box, clockwise from the top left.
  private static func corners(of box: BoundingBox) -> [PixelPoint] {
    [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)]
      .map { PixelPoint(x: $0, y: $1) }
  }

  /// Reads the boxes of one image's file; the box of an outline or of four corners is the one around them.
  /// - Parameters:
  ///   - path: The label file.
  ///   - size: The size of its image, in pixels.
  ///   - classes: The names of the classes, one for each line of `classes.txt`; classes beyond the last line
  ///     have no name.
  /// - Returns: The objects in the order of the lines; the score is 1 if a line has none.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public static func read(
    path: String, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader.file(path), .box, nil, size, classes)
  }

  /// Reads the file of one image with the shapes of its objects.
  /// - Parameters:
  ///   - path: The label file.
  ///   - shape: The shape that lines with points are read as: ``Shape/outline`` makes masks,
  ///     ``Shape/rotatedBox`` rotated boxes of lines with four points, ``Shape/keypoints`` keypoints of three
  ///     numbers; `read(path:keypoints:size:classes:)` reads keypoints of a declared number.
  ///   - size: The size of its image, in pixels.
  ///   - classes: The names of the classes, one for each line of `classes.txt`.
  /// - Returns: The objects in the order of the lines; the score is 1 if a line has none.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public static func read(
    path: String, as shape: Shape, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader.file(path), shape, nil, size, classes)
  }

  /// Reads text in the same format; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine`.
  public static func read(
    text: [UInt8], name: String, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader(bytes: text, name: name), .box, nil, size, classes)
  }

  /// Reads text in the same format with the shapes of its objects; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine`.
  public static func read(
    text: [UInt8], name: String, as shape: Shape, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader(bytes: text, name: name), shape, nil, size, classes)
  }

  /// Whether a line with that many fields ends with a score: boxes have 5 fields, shapes an odd number.
  static func hasScore(fields: Int) -> Bool { fields % 2 == 0 }

  /// Whether a line with that many fields is complete but for the score; `keypoints` is the shape of those
  /// that lines have.
  static func lacksScore(fields: Int, keypoints: KeypointShape?) -> Bool {
    keypoints.map { fields == $0.fields } ?? (fields >= 5 && !hasScore(fields: fields))
  }

  /// The fractions of points and centres that are accepted: those of a label may lie a little outside the
  /// image.
  static let shareRange = -0.5...1.5
  /// The fractions of widths and heights that are accepted.
  static let sizeRange = 0...shareRange.upperBound
  /// The description of a fraction in errors.
  static let fraction = "a fraction, 0 to 1"
  /// The remedy for numbers that are not fractions.
  static let fractionRemedy: Advice =
    "Divide x and width in pixels by the image's width, y and height by its height"

  /// Reads the names of the classes, one per line, from a `classes.txt`.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public static func classes(path: String) throws(EvaluationError) -> [String] {
    var reader = try LineReader.file(path)
    var names: [String] = []
    while let line = try reader.next() { names.append(String(decoding: reader.bytes[line], as: UTF8.self)) }
    return names
  }

  static func read(
    _ reader: consuming LineReader, _ shape: Shape, _ keypoints: KeypointShape?, _ size: PixelSize,
    _ classes: [String], _ rule: ScoreRule = .optional
  ) throws(EvaluationError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    var fields = LineFields()
    while let line = try reader.next() {
      fields.splitAtSpaces(reader.bytes, line)
      if fields.count == 0 { continue }
      if shape == .keypoints {
        objects.append(try keypointObject(reader, line, fields, keypoints, size, classes))
        try check(objects[objects.count - 1], rule, reader)
        continue
      }
      var numbers = fields.ranges.prefix(1 << 20).map { NumberText.double(reader.bytes, $0) ?? .nan }
      guard numbers.count == fields.count, numbers.count >= 5, let index = Int(exactly: numbers[0]),
        index >= 0, numbers.allSatisfy(\.isFinite)
      else { throw invalid(reader, line) }
      let score = hasScore(fields: numbers.count) ? Float(numbers.removeLast()) : 1
      let name = index < classes.count ? classes[index] : nil
      var object = DetectedObject(
        box: BoundingBox(x: 0, y: 0, width: 0, height: 0), score: score,
        labels: [Label(text: name, index: index, confidence: score)])
      if numbers.count == 5 {
        object.box = try box(numbers, size, reader, line)
      } else {
        let points = stride(from: 1, to: numbers.count, by: 2).map {
          PixelPoint(x: numbers[$0] * Double(size.width), y: numbers[$0 + 1] * Double(size.height))
        }
        object.box = hull(of: points)
        try checkPoints(numbers, reader, line)
        do throws(GeometryError) { try add(points, as: shape, size, to: &object) } catch {
          throw reader.failure(
            "\(LineFields.shown(reader.bytes, line)) is not an outline: \(error.message)",
            remedy: "Points are fractions of the image's sides, 0 to 1")
        }
      }
      try check(object, rule, reader)
      objects.append(object)
    }
    return objects
  }

  private static func check(
    _ object: DetectedObject, _ rule: ScoreRule, _ reader: borrowing LineReader
  ) throws(EvaluationError) {
    guard let problem = rule.problem(Double(object.score)) else { return }
    throw reader.failure(problem, remedy: "A score is the last number of a line; correct it, or leave it out")
  }

  private static func invalid(_ reader: borrowing LineReader, _ line: Range<Int>) -> EvaluationError {
    reader.failure(
      "\(LineFields.shown(reader.bytes, line)) is not a class, a box and an optional score",
      remedy: "Each line is class, centre x and y, width and height, or class and x and y of each point, as"
        + " fractions of the image's sides")
  }

  private static func box(
    _ numbers: [Double], _ size: PixelSize, _ reader: borrowing LineReader, _ line: Range<Int>
  ) throws(EvaluationError) -> BoundingBox {
    guard numbers[3] >= 0, numbers[4] >= 0 else { throw invalid(reader, line) }
    let names = ["x of the centre", "y of the centre", "width", "height"]
    for (index, name) in names.enumerated() {
      let number = numbers[index + 1]
      guard !(index < 2 ? shareRange : sizeRange).contains(number) else { continue }
      throw reader.failure("the \(name) is \(number); expected \(fraction)", remedy: fractionRemedy)
    }
    let (width, height) = (numbers[3] * Double(size.width), numbers[4] * Double(size.height))
    return BoundingBox(
      x: numbers[1] * Double(size.width) - width / 2, y: numbers[2] * Double(size.height) - height / 2,
      width: width, height: height)
  }

  /// Refuses points that are not fractions; `numbers` begin with the class.
  private static func checkPoints(
    _ numbers: [Double], _ reader: borrowing LineReader, _ line: Range<Int>
  ) throws(EvaluationError) {
    let outside = numbers.indices.dropFirst().filter { !shareRange.contains(numbers[$0]) }
    // Other formats have equal numbers, or flags of keypoints, which are 2 at most, among fractions.
    guard Set(numbers.dropFirst()).count > 1, outside.isEmpty || outside.contains(where: { numbers[$0] != 2 })
    else { throw invalid(reader, line) }
    guard let first = outside.first else { return }
    let name = "\(first % 2 == 1 ? "x" : "y") of point \((first + 1) / 2)"
    throw reader.failure(
      "the \(name) is \(numbers[first]); expected \(fraction)", remedy: fractionRemedy)
  }

  private static func hull(of points: [PixelPoint]) -> BoundingBox {
    var box = BoundingBox(minX: points[0].x, minY: points[0].y, maxX: points[0].x, maxY: points[0].y)
    for point in points {
      box = BoundingBox(
        minX: min(box.minX, point.x), minY: min(box.minY, point.y), maxX: max(box.maxX, point.x),
        maxY: max(box.maxY, point.y))
    }
    return box
  }

  private static func add(
    _ points: [PixelPoint], as shape: Shape, _ size: PixelSize, to object: inout DetectedObject
  ) throws(GeometryError) {
    switch shape {
    case .outline: object.mask = try ObjectMask(RunLengths(polygons: [points], size: size))
    case .rotatedBox where points.count == 4: object.orientedBox = rotatedBox(points)
    case .box, .rotatedBox, .keypoints: break
    }
  }

  /// Returns the rectangle with four corners; rounding may have moved each a little.
  private static func rotatedBox(_ corners: [PixelPoint]) -> OrientedBox {
    func middle(_ first: Int, _ second: Int) -> PixelPoint {
      PixelPoint(
        x: (corners[first].x + corners[second].x) / 2, y: (corners[first].y + corners[second].y) / 2)
    }
    func offset(_ from: PixelPoint, _ to: PixelPoint) -> (x: Double, y: Double, length: Double) {
      let (x, y) = (to.x - from.x, to.y - from.y)
      return (x, y, (x * x + y * y).squareRoot())
    }
    let along = offset(middle(0, 3), middle(1, 2))
    let across = offset(middle(0, 1), middle(3, 2))
    // Half the diagonals meet in the middle.
    let center = PixelPoint(
      x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
    return OrientedBox(
      center: center, width: along.length, height: across.length, angle: atan2(along.y, along.x)
    ).normalized
  }
}
