// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
package import FoveaFormats
package import FoveaGeometry
import FoveaHTTP
package import FoveaImage
import FoveaCore
import HTTPTypes

/// The options of a call, under the long names of the command line's options.
package struct CallOptions: Sendable, Equatable {
  /// The format of the results.
  package enum Format: String, CaseIterable, Sendable {
    case json, jsonl, csv
  }

  /// The body of the answer.
  package enum Body: Sendable {
    /// The results, with or without the annotated image.
    case text
    /// Only the annotated image.
    case annotated
    /// Only the image of class numbers of a segmentation model.
    case classNumbers
  }

  package var model: String?
  /// The image's name in the answer.
  package var name: String?
  package var format: Format?
  package var region: BoundingBox?
  /// Whether results are in pixels of the upright image; nil for the default of the answer: only class
  /// numbers are upright.
  package var upright: Bool?
  /// The form of masks in JSON.
  package var masks = MaskForm.rle
  /// The file format of the annotated image in or as the answer; nil for none.
  package var annotation: ImageFormat?
  /// The body of the answer, which a call chooses by its format, and by the types that it accepts too.
  package var body = Body.text
  /// The options for a detector or labeler.
  package var named = NamedOptions()

  package init() {}

  /// Whether an image is made, in or as the answer.
  var isDrawn: Bool { annotation != nil || body == .classNumbers }

  /// The names of all options.
  static let names: [String] = CallOptions.names(for: .detect)

  /// Returns the names of a task's options, for messages.
  static func names(for task: ServedTask) -> [String] {
    let all = ["format", "model", "name", "roi"]
    let drawn = all + ["annotate", "masks", "upright"]
    return switch task {
    case .detect, .label: (drawn + NamedOption.perCall.map(\.name)).sorted()
    case .segment: drawn.sorted()
    case .embed: all
    }
  }

  /// Returns the values of `format` for a task's results, for messages.
  static func formats(for task: ServedTask) -> [String] {
    task == .segment ? ["json", "jsonl", "png"] : Format.allCases.map(\.rawValue)
  }

  /// The next step for a call whose format is not one of the task's.
  static func formatRemedy(for task: ServedTask) -> String {
    let formats = formats(for: task)
    return "Use \(formats.dropLast().joined(separator: ", ")) or \(formats[formats.count - 1])"
  }

  /// The options that may be repeated, each time with another label.
  static let lists = ["allow", "deny"]

  /// Reads names and values.
  /// - Parameters:
  ///   - options: The names and values.
  ///   - task: The task of the call, which determines the names that it may have.
  /// - Throws: A refusal that names the option: unknown, given twice, or out of range.
  init(
    _ options: [(name: String, value: OptionValue)], for task: ServedTask = .detect
  ) throws(Refusal) {
    let names = CallOptions.names(for: task)
    var given: Set<String> = []
    // Collected here and set once: the options hold a copy.
    var labels: [String: [String]] = [:]
    var counts: [String: LabelCount] = [:]
    // A key in the query was read earlier.
    for option in options where !["key", "api_key"].contains(option.name) {
      guard given.insert(option.name).inserted || CallOptions.lists.contains(option.name) else {
        throw CallOptions.givenTwice(option.name)
      }
      guard names.contains(option.name) else { throw CallOptions.unknown(option.name, among: names) }
      guard CallOptions.lists.contains(option.name) else {
        try read(option.name, option.value, task)
        continue
      }
      labels[option.name, default: []] += try CallOptions.labels(
        option.name, option.value, &counts[option.name, default: LabelCount()])
    }
    for (name, labels) in labels { try set(name, .list(labels.map { .text($0) })) }
    guard labels.count < 2 else { throw CallOptions.twoLists }
  }

  /// Reads an option with a single value, which in JSON may be a list of one element.
  private mutating func read(_ name: String, _ given: OptionValue, _ task: ServedTask) throws(Refusal) {
    guard let value = name == "roi" ? given : given.single else {
      throw CallOptions.invalid(name, "is '\(given.text.prefix(40))'", "Give one value, not a list")
    }
    switch name {
    case "model": model = value.text
    case "name": self.name = value.text
    case "roi": region = try CallOptions.region(name, value)
    case "upright": upright = try CallOptions.flag(name, value)
    case "masks":
      guard let form = MaskForm(rawValue: value.text) else {
        throw CallOptions.invalid(name, "is '\(value.text.prefix(40))'", "Use rle, polygon or none")
      }
      masks = form
    case "annotate": annotation = try CallOptions.imageFormat(name, value)
    case "format" where value.text == "png" && task == .segment: body = .classNumbers
    case "format":
      guard let format = Format(rawValue: value.text) else {
        throw CallOptions.invalid(
          name, "is '\(value.text.prefix(40))'", CallOptions.formatRemedy(for: task))
      }
      self.format = format
    default: try set(name, value)
    }
  }

  /// Sets an option of detectors and labelers.
  /// - Parameters:
  ///   - name: The option's name.
  ///   - value: The value.
  ///   - called: The client's own name for it.
  /// - Throws: A refusal that names the option: unknown, or out of range.
  mutating func set(_ name: String, _ value: OptionValue, called: String? = nil) throws(Refusal) {
    guard let option = NamedOption.perCall.first(where: { $0.name == name }) else {
      throw CallOptions.unknown(name)
    }
    var value = value
    switch option.kind {
    case .flag: value = .flag(try CallOptions.flag(called ?? name, value))
    case .labels:
      var count = LabelCount()
      value = .list(try CallOptions.labels(called ?? name, value, &count).map { .text($0) })
    default: break
    }
    do throws(FoveaError) { try named.set(option, to: value) } catch {
      let problem = "is '\(value.text.prefix(40))'; it must be \(error.option?.expected ?? "another")"
      throw CallOptions.invalid(called ?? name, problem, error.remedy.asked)
    }
  }

  static func invalid(_ name: String, _ problem: String, _ remedy: String) -> Refusal {
    Refusal(.badRequest, "option-invalid", "The option '\(name)' \(problem)", remedy: remedy)
  }

  static func givenTwice(_ name: String) -> Refusal { invalid(name, "is given twice", "Give it only once") }

  /// The refusal of a call with both lists of labels.
  static var twoLists: Refusal {
    Refusal(
      .badRequest, "option-invalid", "The options 'allow' and 'deny' exclude each other",
      remedy: "Give only one of the two lists")
  }

  static func unknown(_ name: String, among names: [String] = names) -> Refusal {
    let near = NameDistance.nearest(to: name, among: names).first
    return Refusal(
      .badRequest, "option-unknown", "There is no option '\(name.prefix(80))'",
      remedy: near.map { "Did you mean '\($0)'?" } ?? "The options are \(names.joined(separator: ", "))")
  }

  private static func imageFormat(_ name: String, _ value: OptionValue) throws(Refusal) -> ImageFormat {
    switch value.text {
    case "jpeg", "jpg": .jpeg
    case "png": .png
    case "webp": .webp
    default:
      throw invalid(name, "is '\(value.text.prefix(40))'", "Use jpeg, png or webp")
    }
  }

  /// Reads a flag in the form of a query, which may have no value.
  static func flag(_ name: String, _ value: OptionValue) throws(Refusal) -> Bool {
    switch value.text {
    case "", "true", "1", "yes": true
    case "false", "0", "no": false
    default: throw invalid(name, "is '\(value.text.prefix(40))'", "Give true or false")
    }
  }

  /// Reads the labels in a list or a string.
  /// - Parameters:
  ///   - name: The option.
  ///   - value: A string, or a list of strings.
  ///   - count: The size of the list so far; a string is counted before it is split.
  /// - Returns: The labels.
  /// - Throws: A refusal for an empty label, and for a list beyond its limits.
  static func labels(
    _ name: String, _ value: OptionValue, _ count: inout LabelCount
  ) throws(Refusal) -> [String] {
    let texts: [String] = if case .list(let values) = value { values.map(\.text) } else { [value.text] }
    for text in texts {
      if let problem = count.add(text) { throw invalid(name, problem, "Give fewer labels") }
    }
    guard let labels = value.labels else {
      throw invalid(
        name, texts.isEmpty ? "is an empty list" : "has an empty label",
        "Give labels separated by commas, such as cup,dog, or omit it")
    }
    return labels
  }

  private static func region(_ name: String, _ value: OptionValue) throws(Refusal) -> BoundingBox {
    let given: [Double]? =
      if case .list(let values) = value { values.map { $0.number ?? .nan } } else {
        // Four numbers in any notation are no longer than this.
        value.text.utf8.count <= 400 ? NumberList(value.text)?.values : nil
      }
    guard let numbers = given, numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0,
      numbers[3] > 0
    else {
      throw invalid(
        name, "is '\(value.text.prefix(40))'",
        "Give x,y,width,height in pixels of the stored image, such as 10,20,300,200")
    }
    return BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
#endif
