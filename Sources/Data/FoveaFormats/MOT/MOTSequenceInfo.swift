// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation

/// The facts about a video of MOT Challenge in its `seqinfo.ini`.
public struct MOTSequenceInfo: Sendable, Hashable {
  /// The sequence's name; nil if the file does not declare it.
  public var name: String?
  /// The number of frames of the video; nil if the file does not declare it.
  public var frameCount: Int?
  /// The frames per second; nil if the file does not declare them.
  public var frameRate: Double?
  /// The width of the frames in pixels; nil if the file does not declare it.
  public var width: Int?
  /// The height of the frames in pixels; nil if the file does not declare it.
  public var height: Int?
  /// The folder of the frames' images, usually `img1`; nil if the file does not declare it.
  public var imageFolder: String?
  /// The extension of the images, usually `.jpg`; nil if the file does not declare it.
  public var imageExtension: String?

  /// Creates a value without facts.
  package init() {}

  /// Reads a `seqinfo.ini`; ignores unknown entries and entries outside the section `[Sequence]`.
  /// - Throws: `EvaluationError` `unreadable` or `invalidSequenceInfo`.
  public init(path: String) throws(EvaluationError) { try self.init(LineReader.file(path)) }

  /// Reads text in the same format; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidSequenceInfo`.
  public init(text: [UInt8], name: String) throws(EvaluationError) {
    try self.init(LineReader(bytes: text, name: name))
  }

  private init(_ reader: consuming LineReader) throws(EvaluationError) {
    var isInSection = false
    while let range = try reader.next() {
      let line = MOTSequenceInfo.trimmed(String(decoding: reader.bytes[range], as: UTF8.self))
      if line.isEmpty || line.hasPrefix(";") || line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        isInSection = line.lowercased() == "[sequence]"
        continue
      }
      guard let sign = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
        throw EvaluationError(
          .invalidSequenceInfo, "\(reader.name) line \(reader.line): an entry without =",
          remedy: MOTSequenceInfo.remedy)
      }
      guard isInSection else { continue }
      let key = MOTSequenceInfo.trimmed(String(line[..<sign])).lowercased()
      let value = MOTSequenceInfo.trimmed(String(line[line.index(after: sign)...]))
      try set(key, value, place: "\(reader.name) line \(reader.line)")
    }
  }

  private mutating func set(_ key: String, _ value: String, place: String) throws(EvaluationError) {
    func count() throws(EvaluationError) -> Int {
      guard let number = Int(value), (1...MOTReader.maximumFrame).contains(number) else {
        throw MOTSequenceInfo.invalid(place, key, value, "a whole number from 1 to \(MOTReader.maximumFrame)")
      }
      return number
    }
    switch key {
    case "name": name = value
    case "seqlength": frameCount = try count()
    case "imwidth": width = try count()
    case "imheight": height = try count()
    case "framerate":
      guard let number = Double(value), number > 0, number.isFinite else {
        throw MOTSequenceInfo.invalid(place, key, value, "a number above 0")
      }
      frameRate = number
    case "imdir": imageFolder = value
    case "imext": imageExtension = value
    default: break
    }
  }

  private static let remedy: Advice = "Write lines such as seqLength=600 below [Sequence]"

  private static func invalid(
    _ place: String, _ key: String, _ value: String, _ expected: String
  ) -> EvaluationError {
    EvaluationError(
      .invalidSequenceInfo, "\(place): \(key) is '\(value.prefix(40))', not \(expected)", remedy: remedy)
  }

  private static func trimmed(_ text: String) -> String {
    let spaces: Set<Character> = [" ", "\t", "\r"]
    guard let first = text.firstIndex(where: { !spaces.contains($0) }),
      let last = text.lastIndex(where: { !spaces.contains($0) })
    else { return "" }
    return String(text[first...last])
  }
}
