// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
package import FoveaGeometry
import FoveaHTTP
package import FoveaImage
import FoveaCore
import HTTPTypes

/// What a call asks for, by the long names of the command line's options.
package struct CallOptions: Sendable, Equatable {
  /// How results are written.
  package enum Format: String, CaseIterable, Sendable {
    case json, jsonl, csv
  }

  package var model: String?
  /// What the answer calls the image.
  package var name: String?
  package var format: Format?
  package var region: BoundingBox?
  package var upright = false
  /// The file format of the annotated image that the answer has or is; nil for none.
  package var annotation: ImageFormat?
  package var detection = ObjectDetector.Selection()
  /// Nil labels keep those of the model.
  package var threshold: Float?
  package var maxLabels: Int?
  package var allow: [String]?
  package var deny: [String]?

  package init() {}

  /// What a labeler is asked for.
  package var labeling: ImageLabeler.Selection {
    var selection = ImageLabeler.Selection()
    selection.threshold = threshold
    selection.maxResults = maxLabels
    selection.allowedLabels = allow
    selection.deniedLabels = deny
    return selection
  }

  /// The names that `set` takes, as messages list them.
  static let names: [String] = [
    "allow", "annotate", "deny", "format", "label-threshold", "max-labels", "max-objects", "model", "name",
    "roi",
    "single",
    "slice", "threshold", "upright",
  ]

  /// The names that may come several times, each time with a label more.
  static let lists = ["allow", "deny"]

  /// Reads names and values.
  /// - Throws: A refusal that names the option: unknown, given twice, or out of range.
  init(_ options: [(name: String, value: CallValue)]) throws(Refusal) {
    var given: Set<String> = []
    // Collected here and assigned once: the selection holds a copy.
    var labels: [String: [String]] = [:]
    var counts: [String: LabelCount] = [:]
    // A key may stand in the query; it was read before.
    for option in options where !["key", "api_key"].contains(option.name) {
      guard given.insert(option.name).inserted || CallOptions.lists.contains(option.name) else {
        throw CallOptions.invalid(option.name, "is given twice", "Give it once")
      }
      guard CallOptions.lists.contains(option.name) else {
        try set(option.name, option.value)
        continue
      }
      labels[option.name, default: []] += try CallOptions.labels(
        option.name, option.value, &counts[option.name, default: LabelCount()])
    }
    allow = labels["allow"]
    deny = labels["deny"]
    detection.allowedLabels = allow
    detection.deniedLabels = deny
    guard allow == nil || deny == nil else {
      throw CallOptions.twoLists
    }
  }

  /// Sets an option that is no list.
  private mutating func set(_ name: String, _ value: CallValue) throws(Refusal) {
    switch name {
    case "model": model = value.text
    case "name": self.name = value.text
    case "threshold":
      threshold = try CallOptions.score(name, value)
      detection.threshold = threshold
    case "max-objects": detection.maxObjects = try CallOptions.count(name, value)
    case "single": detection.singleObject = try CallOptions.flag(name, value)
    case "slice": detection.slicing = try CallOptions.flag(name, value) ? Slicing() : nil
    case "label-threshold": detection.labelThreshold = try CallOptions.score(name, value)
    case "max-labels":
      maxLabels = try CallOptions.count(name, value)
      detection.maxLabels = maxLabels
    case "roi": region = try CallOptions.region(name, value)
    case "upright": upright = try CallOptions.flag(name, value)
    case "annotate": annotation = try CallOptions.imageFormat(name, value)
    case "format":
      guard let format = Format(rawValue: value.text) else {
        throw CallOptions.invalid(
          name, "is '\(value.text.prefix(40))'", "The formats are json, jsonl and csv")
      }
      self.format = format
    default: throw CallOptions.unknown(name)
    }
  }

  static func invalid(_ name: String, _ problem: String, _ remedy: String) -> Refusal {
    Refusal(.badRequest, "option-invalid", "The option '\(name)' \(problem)", remedy: remedy)
  }

  /// The refusal of a call that has both lists of labels.
  static var twoLists: Refusal {
    Refusal(
      .badRequest, "option-invalid", "The options 'allow' and 'deny' exclude each other",
      remedy: "Give one of the two lists")
  }

  static func unknown(_ name: String, among names: [String] = names) -> Refusal {
    let near = NameDistance.nearest(to: name, among: names).first
    return Refusal(
      .badRequest, "option-unknown", "There is no option '\(name.prefix(80))'",
      remedy: near.map { "Did you mean '\($0)'?" } ?? "The options are \(names.joined(separator: ", "))")
  }

  private static func imageFormat(_ name: String, _ value: CallValue) throws(Refusal) -> ImageFormat {
    switch value.text {
    case "jpeg", "jpg": .jpeg
    case "png": .png
    case "webp": .webp
    default:
      throw invalid(name, "is '\(value.text.prefix(40))'", "The formats are jpeg, png and webp")
    }
  }

  static func score(_ name: String, _ value: CallValue) throws(Refusal) -> Float {
    guard let score = value.number.map({ Float($0) }), (0...1).contains(score) else {
      throw invalid(name, "is '\(value.text.prefix(40))'; it must be 0…1", "Give a number from 0 to 1")
    }
    return score
  }

  static func count(_ name: String, _ value: CallValue) throws(Refusal) -> Int {
    let whole: Int? = if case .number(let number) = value { Int(exactly: number) } else { Int(value.text) }
    guard let count = whole, (1...100_000).contains(count) else {
      throw invalid(name, "is '\(value.text.prefix(40))'; it must be 1…100000", "Give a whole number from 1")
    }
    return count
  }

  static func flag(_ name: String, _ value: CallValue) throws(Refusal) -> Bool {
    switch value.text {
    case "", "true", "1", "yes": true
    case "false", "0", "no": false
    default: throw invalid(name, "is '\(value.text.prefix(40))'", "Give true or false")
    }
  }

  /// The labels of a list; a text is one, or several with commas between them: which it is, the model's labels decide.
  /// - Parameters:
  ///   - name: The option.
  ///   - value: Its text, or a list of texts.
  ///   - count: What the list has so far; a text is counted before it is taken apart.
  /// - Returns: The texts.
  /// - Throws: A refusal for an empty label, and for a list beyond its bounds.
  static func labels(
    _ name: String, _ value: CallValue, _ count: inout LabelCount
  ) throws(Refusal) -> [String] {
    let labels = if case .list(let values) = value { values.map(\.text) } else { [value.text] }
    for label in labels {
      if let problem = count.add(label) { throw invalid(name, problem, "Give fewer labels") }
    }
    let parts: [String] =
      if case .list = value { labels.isEmpty ? [""] : labels.map(\.trimmingBlanks) } else {
        CommaList.parts(value.text)
      }
    guard !parts.contains("") else {
      throw invalid(
        name, "has an empty label", "Give labels with commas between them, as cup,dog, or leave it out")
    }
    return labels
  }

  private static func region(_ name: String, _ value: CallValue) throws(Refusal) -> BoundingBox {
    let given: [Double]? =
      if case .list(let values) = value { values.map { $0.number ?? .nan } } else {
        // Four numbers, however they are written, need no more.
        value.text.utf8.count <= 400 ? NumberList(value.text)?.values : nil
      }
    guard let numbers = given, numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0,
      numbers[3] > 0
    else {
      throw invalid(
        name, "is '\(value.text.prefix(40))'",
        "Give x,y,width,height in pixels of the stored image, as 10,20,300,200")
    }
    return BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
#endif
