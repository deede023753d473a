// SPDX-License-Identifier: Apache-2.0

/// The labels in a value of JSON, YAML or Python.
enum LiteralLabels {
  /// The members that contain labels, in files with other content.
  private static let members = [
    "names", "labels", "classes", "categories", "class_names", "classNames", "label_names", "labelNames",
    "label_map", "labelMap", "labelmap", "items", "item",
    // Hugging Face's config.json, TorchServe's index_to_name.json.
    "id2label", "idx2label", "id_to_label", "index_to_name", "idx_to_class", "index_to_label",
    // The inverse map, if there is only that.
    "label2id", "label2idx", "label_to_id", "label_to_index", "class_to_idx", "class_to_index",
    "name_to_index",
  ]
  private static let nameKeys = [
    "display_name", "displayName", "name", "label", "class_name", "className", "title", "text", "class",
    "category", "value",
  ]
  private static let numberKeys = [
    "id", "index", "class_id", "classId", "class_index", "idx", "label_id", "category_id", "key",
  ]
  private static let maximumDepth = 3

  /// Returns the possible readings of a value; nil if it has no labels.
  static func readings(_ value: Literal, _ form: LabelForm, depth: Int = 0) -> [LabelReading]? {
    switch value {
    case .list(let values): return list(values, form)
    case .map(let members):
      for name in LiteralLabels.members where depth < maximumDepth {
        if let inner = members.first(where: { $0.key == name })?.value,
          let found = readings(inner, form, depth: depth + 1)
        {
          return found
        }
      }
      return map(members, form)
    case .text, .word, .other: return nil
    }
  }

  /// Reads a list of names, or of objects with names.
  private static func list(_ values: [Literal], _ form: LabelForm) -> [LabelReading]? {
    let names = values.compactMap { name($0, isNested: true) }
    guard !names.isEmpty, names.count == values.count else { return nil }
    let numbers = values.compactMap(number)
    if numbers.count == values.count { return numbered(zip(numbers, names), form) }
    return [LabelReading(names: names, form: form)]
  }

  /// Reads a map of numbers to names, or of names to numbers.
  private static func map(_ members: [(key: String, value: Literal)], _ form: LabelForm) -> [LabelReading]? {
    guard !members.isEmpty else { return nil }
    let numbers = members.compactMap { Int($0.key) }
    if numbers.count == members.count {
      let names = members.compactMap { name($0.value, isNested: true) }
      return names.count == numbers.count ? numbered(zip(numbers, names), form) : nil
    }
    let values = members.compactMap(\.value.number)
    // Class numbers start at 0 or 1; others are settings.
    guard values.count == members.count, values.min().map({ $0 <= 1 }) == true else { return nil }
    return numbered(zip(values, members.map(\.key)), form)
  }

  private static func numbered(
    _ entries: some Sequence<(Int, String)>, _ form: LabelForm
  ) -> [LabelReading]? {
    NumberedLabels(entries.map { .init(number: $0.0, text: $0.1) }).map {
      $0.readings(form) + [$0.closed(form)]
    }
  }

  /// Returns the name in a value: a string, the name of an object, or the last of a short list, such as
  /// `["n01440764", "tench"]`.
  private static func name(_ value: Literal, isNested: Bool) -> String? {
    switch value {
    case .text(let text), .word(let text): return LabelLine.trimmed(text)
    case .list(let values) where isNested && values.count == 2: return name(values[1], isNested: false)
    case .map(let members) where isNested:
      let found = nameKeys.lazy.compactMap { key in members.first { $0.key == key }?.value }.first
      return found.flatMap { name($0, isNested: false) }
    default: return nil
    }
  }

  private static func number(_ value: Literal) -> Int? {
    switch value {
    case .map(let members):
      return numberKeys.lazy.compactMap { key in members.first { $0.key == key }?.value.number }.first
    case .list(let values) where values.count == 2:
      return if case .word(let word) = values[0] { Int(word) } else { nil }
    default: return nil
    }
  }
}
