// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
public import FoveaGeometry

/// The lines of one image's YOLO file: class, centre, width and height as fractions of the image's sides.
///
/// **Source:** Ultralytics, "Object Detection Datasets Overview", YOLO format; Darknet's `read_boxes`.
public enum YOLOLines {
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
    var numbers = [
      visible.midX / width, visible.midY / height, visible.width / width, visible.height / height,
    ]
    if let score { numbers.append(Double(score)) }
    return "\(number) " + numbers.map { DecimalText.fixed($0, places: 6) }.joined(separator: " ") + "\n"
  }

  /// Reads the file of one image.
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
    try read(LineReader.file(path), size, classes)
  }

  /// Reads text in the same format; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine`.
  public static func read(
    text: [UInt8], name: String, size: PixelSize, classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    try read(LineReader(bytes: text, name: name), size, classes)
  }

  /// Reads the names of the classes, one per line, from a `classes.txt`.
  /// - Throws: `EvaluationError` `unreadable` or `invalidLine`.
  public static func classes(path: String) throws(EvaluationError) -> [String] {
    var reader = try LineReader.file(path)
    var names: [String] = []
    while let line = try reader.next() { names.append(String(decoding: reader.bytes[line], as: UTF8.self)) }
    return names
  }

  private static func read(
    _ reader: consuming LineReader, _ size: PixelSize, _ classes: [String]
  ) throws(EvaluationError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    var fields = LineFields()
    while let line = try reader.next() {
      fields.splitAtSpaces(reader.bytes, line)
      if fields.count == 0 { continue }
      let numbers = fields.ranges.prefix(6).map { NumberText.double(reader.bytes, $0) ?? .nan }
      guard (5...6).contains(fields.count), let index = Int(exactly: numbers[0]), index >= 0,
        numbers.allSatisfy(\.isFinite), numbers[3] >= 0, numbers[4] >= 0
      else {
        throw reader.failure(
          "\(LineFields.shown(reader.bytes, line)) is not a class, a box and an optional score",
          remedy: "Each line is class, centre x and y, width and height, as fractions of the image's sides")
      }
      let (width, height) = (numbers[3] * Double(size.width), numbers[4] * Double(size.height))
      let score = fields.count == 6 ? Float(numbers[5]) : 1
      let name = index < classes.count ? classes[index] : nil
      objects.append(
        DetectedObject(
          box: BoundingBox(
            x: numbers[1] * Double(size.width) - width / 2, y: numbers[2] * Double(size.height) - height / 2,
            width: width, height: height),
          score: score, labels: [Label(text: name, index: index, confidence: score)]))
    }
    return objects
  }
}
