// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// A text message from a client of `/v1/live`: `{"type": "start", …}` or `{"type": "change", …}`.
struct LiveRequest: Equatable, Sendable {
  /// Whether frames follow with these settings, or the current ones change.
  enum Kind: String, CaseIterable {
    case start, change
  }

  let kind: Kind
  /// The settings from now on.
  let settings: LiveSettings
  /// The members `lines` and `zones`, if they have at least one entry.
  private let shapes: [String]

  /// The members besides `type`, for messages.
  static let names = [
    "allow", "deny", "every", "lines", "masks", "model", "task", "threshold", "zones",
  ]
  static let shapeLimit = 16
  private static let numberLimit = 128

  /// Reads a text message; missing members keep the values of `present`.
  /// - Throws: A refusal that names the invalid member.
  init(_ text: String, present: LiveSettings?) throws(Refusal) {
    var fields = Fields()
    do throws(JSONFailure) {
      var reader = JSONReader(bytes: Array(text.utf8), name: "The message")
      reader.refusesTwins = true
      try fields.read(&reader)
      self = try fields.request(present)
    } catch {
      throw Refusal.malformed(error, remedy: #"Send {"type": "start", "task": "track", "threshold": 0.5}"#)
    }
    try settings.check()
  }

  private init(kind: Kind, settings: LiveSettings, shapes: [String]) {
    self.kind = kind
    self.settings = settings
    self.shapes = shapes
  }

  /// Throws a refusal if a message has lines or zones, but its task or the model's does not track objects.
  ///
  /// Lines and zones of an earlier message are kept for the next message that requests tracking.
  func check(with model: ServedModel) throws(Refusal) {
    let task = try settings.task(of: model)
    guard task != .track, let name = shapes.first else { return }
    let isNamed = settings.task != nil
    let reason = isNamed ? "the task is '\(task.rawValue)'" : "'\(model.name)' labels whole images"
    throw Refusal(
      .badRequest, "option-invalid", "'\(name)' count followed objects, but \(reason)",
      remedy: "\(isNamed ? "Request the task 'track'" : "Name a detector"), or omit '\(name)'")
  }

  /// The members of a message, before its kind is known.
  private struct Fields {
    var kind: Kind?
    var model: String?
    var task: LiveSettings.Task?
    var threshold: Double?
    var every: Int?
    var allow: [String]?
    var deny: [String]?
    var masks: MaskForm?
    var lines: [[Double]]?
    var zones: [[Double]]?

    mutating func read(_ reader: inout JSONReader) throws(JSONFailure) {
      try reader.object("an object") { (reader, member) throws(JSONFailure) in
        switch member {
        case "type": kind = try LiveRequest.word(&reader, "type")
        case "model": model = try reader.textOrNull("'model'")
        case "task": task = try LiveRequest.word(&reader, "task")
        case "threshold": threshold = try reader.double("'threshold'")
        case "every": every = try reader.identifier("'every'")
        case "allow": allow = try LiveRequest.labels(&reader, "allow")
        case "deny": deny = try LiveRequest.labels(&reader, "deny")
        case "masks": masks = try LiveRequest.word(&reader, "masks")
        case "lines": lines = try LiveRequest.shapes(&reader, "lines")
        case "zones": zones = try LiveRequest.shapes(&reader, "zones")
        default: throw reader.unknownMember(of: "the message", among: LiveRequest.names)
        }
      }
      try reader.expectEnd()
    }

    func request(_ present: LiveSettings?) throws(JSONFailure) -> LiveRequest {
      guard let kind else { throw JSONFailure(.mismatch, "The message", "'type' is missing") }
      guard kind == .start || present != nil else {
        throw JSONFailure(.mismatch, "The message", "there is nothing to change before a 'start'")
      }
      var settings = (kind == .change ? present : nil) ?? LiveSettings()
      if let model { settings.model = model }
      if let task { settings.task = task }
      if let threshold { settings.threshold = Float(threshold) }
      if let every { settings.every = every }
      // One list replaces the other, unless the message has both.
      if allow != nil || deny != nil {
        settings.allow = allow ?? []
        settings.deny = deny ?? []
      }
      if let masks { settings.masks = masks }
      if let lines { settings.lines = lines.map { CountedShape(points: $0) } }
      if let zones { settings.zones = zones.map { CountedShape(points: $0) } }
      let shapes = [("lines", lines), ("zones", zones)].filter { $0.1?.isEmpty == false }.map(\.0)
      return LiveRequest(kind: kind, settings: settings, shapes: shapes)
    }
  }

  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ reader: inout JSONReader, _ name: String
  ) throws(JSONFailure) -> Word {
    let text = try reader.optionalString()
    guard let word = text.flatMap(Word.init(rawValue:)) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      let given = text.map { "'\($0.prefix(40))'" } ?? "no text"
      var failure = reader.mismatch("'\(name)' is \(given)", "it must be one of \(words)")
      failure.remedy = "Use one of \(words)"
      throw failure
    }
    return word
  }

  /// Reads a list of labels.
  static func labels(_ reader: inout JSONReader, _ name: String) throws(JSONFailure) -> [String] {
    var labels: [String] = []
    var count = LabelCount()
    try reader.list("a list for '\(name)'", hasLimit: false) { reader throws(JSONFailure) in
      guard let label = try reader.optionalString() else {
        throw reader.mismatch("a label of '\(name)' is not a string")
      }
      labels.append(label)
      if let problem = count.add(label) { throw reader.mismatch("'\(name)' \(problem)") }
      guard !label.trimmingBlanks.isEmpty else {
        throw reader.mismatch("'\(name)' has an empty label")
      }
    }
    return labels
  }

  /// Reads lists of coordinates.
  static func shapes(_ reader: inout JSONReader, _ name: String) throws(JSONFailure) -> [[Double]] {
    let form = name == "lines" ? "[[x1, y1, x2, y2]]" : "[[x1, y1, x2, y2, x3, y3]]"
    let problem = "'\(name)' is not a list of lists of numbers"
    let hint = "write it as \(form)"
    guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch(problem, hint) }
    var shapes: [[Double]] = []
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      shapes.append(try points(&reader, of: name, problem, hint))
      guard shapes.count <= shapeLimit else {
        throw reader.mismatch("'\(name)' has more than \(shapeLimit) entries")
      }
    }
    return shapes
  }

  /// Reads a list of coordinates; `problem` and `hint` describe another value.
  static func points(
    _ reader: inout JSONReader, of name: String, _ problem: String, _ hint: String
  ) throws(JSONFailure) -> [Double] {
    guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch(problem, hint) }
    var numbers: [Double] = []
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      guard let first = try reader.peek(), first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-")
      else {
        throw reader.mismatch(problem, hint)
      }
      numbers.append(try reader.double("a coordinate"))
      guard numbers.count <= numberLimit else { throw reader.mismatch("'\(name)' has too many points") }
    }
    return numbers
  }
}
#endif
