// SPDX-License-Identifier: Apache-2.0

import FoveaCore

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
  private static let maximumDepth = 3
  /// More members of an object are not class numbers.
  private static let maximumMembers = 64

  /// Returns the possible readings of a value; nil if it has no labels.
  /// - Throws: `badLabels` if some objects have no class number, or it may be in several members.
  static func readings(
    _ value: Literal, _ form: LabelForm, source: String, depth: Int = 0
  ) throws(MetadataError) -> [LabelReading]? {
    switch value {
    case .list(let values): return try list(values, form, source: source)
    case .map(let members):
      for name in LiteralLabels.members where depth < maximumDepth {
        if let inner = members.first(where: { $0.key == name })?.value,
          let found = try readings(inner, form, source: source, depth: depth + 1)
        {
          return found
        }
      }
      return try map(members, form, source: source)
    case .text, .word, .other: return nil
    }
  }

  /// Reads a list of names, of objects with names, or of pairs such as `[2, "cat"]`.
  private static func list(
    _ values: [Literal], _ form: LabelForm, source: String
  ) throws(MetadataError) -> [LabelReading]? {
    let objects = values.compactMap { if case .map(let members) = $0 { members } else { nil } }
    if !objects.isEmpty, objects.count == values.count {
      return try list(of: objects, form, source: source)
    }
    if let entries = entries(values, form) { return try numbered(entries, form, source: source) }
    let found = try checkedNames(values, form, source: source, place: { "at index \($0)" })
    guard let names = found, !names.isEmpty else { return nil }
    // Quotes in YAML, which needs none, show that the numbers belong to the labels.
    let isQuoted = form == .yaml && values.contains { if case .text = $0 { true } else { false } }
    let texts = isQuoted ? [] : values.map { text($0, form) }
    if let error = UnreadNumbers.error(inOrder: texts, form, source: source) { throw error }
    return [LabelReading(names: names, form: form)]
  }

  /// Returns the class numbers and names of pairs, all of which begin with their number, `[2, "cat"]`, or all
  /// end with it, `["cat", 2]`; nil for other values.
  private static func entries(_ values: [Literal], _ form: LabelForm) -> [(Int, String)]? {
    let pairs = values.compactMap { value -> [Literal]? in
      guard case .list(let list) = value else { return nil }
      let pair = withoutColors(list)
      return pair.count == 2 ? pair : nil
    }
    guard !pairs.isEmpty, pairs.count == values.count else { return nil }
    for place in 0...1 {
      let entries = pairs.compactMap { pair -> (Int, String)? in
        guard case .word = pair[place], let number = pair[place].number, pair[1 - place].number == nil
        else { return nil }
        return name(pair[1 - place], form, isNested: false).map { (number, $0) }
      }
      if entries.count == pairs.count { return entries }
    }
    return nil
  }

  /// Reads objects, whose members are the columns of a table.
  private static func list(
    of objects: [[Literal.Member]], _ form: LabelForm, source: String
  ) throws(MetadataError) -> [LabelReading]? {
    // `- 0: cat`, `- 1: dog`: a map in pieces.
    if objects.allSatisfy({ members in
      members.count == 1 && LabelColumns.whole(members[0].key) != nil && members[0].value.number == nil
    }) {
      return try map(objects.flatMap { $0 }, form, source: source)
    }
    if let pairs = numberPairs(objects) { return try map(pairs, form, source: source) }
    guard let names = try names(of: objects, form, source: source) else { return nil }
    var places: [String: Int] = [:]
    var header: [String] = []
    for key in objects.joined().lazy.map(\.key) where places[key] == nil && header.count < maximumMembers {
      places[key] = header.count
      header.append(key)
    }
    let rows = objects.map { members in
      var fields = [String](repeating: "", count: header.count)
      for member in members.reversed() {
        guard let place = places[member.key] else { continue }
        switch member.value {
        case .text(let text), .word(let text): fields[place] = text
        case .list(let values) where values.count == 1: fields[place] = text(values[0], form)
        case .list, .map, .other: fields[place] = ""
        }
      }
      return fields
    }
    let columns = LabelColumns(header: header, below: rows, noun: "member")
    guard let place = try columns.number(source: source) else {
      if let error = UnreadNumbers.error(inOrder: names, form, source: source) { throw error }
      return [LabelReading(names: names, form: form)]
    }
    // Of `{"key": "cat", "value": 2}`, the numbers are not names, too.
    if header.count > 1, header[place] == nameKeys.first(where: header.contains),
      zip(rows, names).allSatisfy({ $0[place] == $1 })
    {
      return nil
    }
    return try numbered(
      zip(rows.map { LabelColumns.whole($0[place]) ?? 0 }, names), form, source: source)
  }

  /// Returns the members of objects with one each, whose keys differ and whose values are numbers or have
  /// one, as of `- cat: 0`, `- dog: {id: 1}`; nil for others.
  private static func numberPairs(_ objects: [[Literal.Member]]) -> [Literal.Member]? {
    let pairs = objects.flatMap { $0 }
    guard pairs.count == objects.count, Set(pairs.map(\.key)).count == pairs.count,
      pairs.allSatisfy({ pair in
        (pair.value.number ?? objectNumber(pair.value)) != nil && LabelColumns.whole(pair.key) == nil
          && !nameKeys.contains(pair.key) && !LabelTable.numberColumns.contains(LabelLine.letters(pair.key))
      })
    else { return nil }
    return pairs
  }

  /// Returns the names of objects; nil if one has none.
  ///
  /// Of `{"label": 2, "class_name": "cat"}`, the member that is not a number has the name.
  /// - Throws: `badLabels` if a name is null in some objects, and no other member has names.
  private static func names(
    of objects: [[Literal.Member]], _ form: LabelForm, source: String
  ) throws(MetadataError) -> [String]? {
    for key in nameKeys {
      let values = objects.compactMap { members in members.first { $0.key == key }?.value }
      let names = values.compactMap { name($0, form, isNested: false) }
      if names.count == objects.count, values.contains(where: { $0.number == nil }) { return names }
    }
    let values = objects.map { members in Literal.map(members) }
    return try checkedNames(values, form, source: source, place: { "at index \($0)" })
  }

  /// Returns the names of values; nil if they are not names.
  /// - Throws: `badLabels` with the place of a null, or in JSON also of a number, a truth value or another
  ///   value without a name, among strings.
  private static func checkedNames(
    _ values: [Literal], _ form: LabelForm, source: String, place: (Int) -> String
  ) throws(MetadataError) -> [String]? {
    let names = values.map { name($0, form, isNested: true) }
    let isOfStrings = zip(values, names).contains { value, name in
      switch value {
      case .text: true
      case .word: form == .yaml
      case .map: name != nil
      case .list, .other: false
      }
    }
    guard isOfStrings else { return names.contains(nil) ? nil : names.compactMap { $0 } }
    let hasStrings = form == .json && values.contains { if case .text = $0 { true } else { false } }
    for (index, value) in values.enumerated() {
      guard let words = problem(value, names[index], form, hasStrings) else { continue }
      throw MetadataError(
        .badLabels, "\(source) has \(words) \(place(index))",
        remedy: "Write each name as a string in quotes; '???' stands for a class without a name")
    }
    return names.compactMap { $0 }
  }

  /// Returns the words for a value that is not a name; nil for one.
  ///
  /// Lists and objects among strings are not names.
  private static func problem(
    _ value: Literal, _ name: String?, _ form: LabelForm, _ hasStrings: Bool
  ) -> String? {
    switch value {
    case .text: return nil
    case .word(let word):
      let isValue = Double(word) != nil || ["true", "false"].contains(word.lowercased())
      guard name == nil || form == .json && isValue else { return nil }
      return "\(String(word.prefix(40)).printable) instead of a name"
    case .list: return name == nil || hasStrings ? "a list instead of a name" : nil
    case .map:
      if name == nil { return "an object without a name" }
      return hasStrings ? "an object instead of a name" : nil
    case .other: return "another value instead of a name"
    }
  }

  /// Returns whether a word without quotes is the null of JSON, YAML or Python.
  private static func isNull(_ word: String, _ form: LabelForm) -> Bool {
    switch form {
    case .yaml: ["null", "Null", "NULL", "~"].contains(word)
    default: ["null", "None"].contains(word)
    }
  }

  /// Reads a map of numbers to names, or of names to numbers.
  private static func map(
    _ members: [Literal.Member], _ form: LabelForm, source: String
  ) throws(MetadataError) -> [LabelReading]? {
    guard !members.isEmpty else { return nil }
    let numbers = members.compactMap { LabelColumns.whole($0.key) }
    if numbers.count == members.count {
      let values = members.map { $0.value }
      let found = try checkedNames(values, form, source: source, place: { "for class \(numbers[$0])" })
      guard let names = found else { return nil }
      return try numbered(zip(numbers, names), form, source: source)
    }
    let values = members.compactMap { $0.value.number ?? objectNumber($0.value) }
    // Class numbers start at 0 or 1; others are settings. A map of colours has no labels.
    guard values.count == members.count, values.min().map({ $0 <= 1 }) == true,
      !members.allSatisfy({ ColorRow.isTriple($0.key) || ColorNotation.isColor($0.key) })
    else { return nil }
    return try numbered(zip(values, members.map(\.key)), form, source: source)
  }

  /// - Throws: `badLabels` if two labels have one number.
  private static func numbered(
    _ entries: some Sequence<(Int, String)>, _ form: LabelForm, source: String
  ) throws(MetadataError) -> [LabelReading]? {
    var known: [Int: String] = [:]
    for (number, name) in entries {
      guard let other = known.updateValue(name, forKey: number) else { continue }
      throw MetadataError(
        .badLabels,
        "\(source) has the class number \(number) twice, for '\(String(other.prefix(40)).printable)' and "
          + "'\(String(name.prefix(40)).printable)'",
        remedy: "Write another number for each class")
    }
    return NumberedLabels(entries.map { .init(number: $0.0, text: $0.1) }).map {
      $0.readings(form) + [$0.closed(form)]
    }
  }

  /// Returns the name in a value: a string, the name of an object, or that behind an id, as in
  /// `["n01440764", "tench"]`.
  private static func name(_ value: Literal, _ form: LabelForm, isNested: Bool) -> String? {
    switch value {
    case .text(let text): return LabelLine.trimmed(text)
    case .word(let word): return isNull(word, form) ? nil : LabelLine.trimmed(word)
    case .list(let list) where isNested:
      let values = withoutColors(list)
      if values.count == 1 && list.count > 1 { return name(values[0], form, isNested: false) }
      guard values.count == 2, let id = name(values[0], form, isNested: false), PublicIDs.isOne(id) else {
        return nil
      }
      return name(values[1], form, isNested: false)
    case .map(let members) where isNested:
      let found = nameKeys.lazy.compactMap { key in members.first { $0.key == key }?.value }.first
      return found.flatMap { name($0, form, isNested: false) }
    default: return nil
    }
  }

  /// Returns the strings of a value, without colours, as a text.
  private static func text(_ value: Literal, _ form: LabelForm) -> String {
    guard case .list(let values) = value else { return name(value, form, isNested: true) ?? "" }
    return withoutColors(values).map { text($0, form) }.joined(separator: " ")
  }

  /// Returns the class number of an object such as `{"id": 0, "color": [128, 0, 0]}`.
  private static func objectNumber(_ value: Literal) -> Int? {
    guard case .map(let members) = value else { return nil }
    return LabelTable.numberColumns.lazy
      .compactMap { name in members.first { LabelLine.letters($0.key) == name }?.value.number }.first
  }

  /// Returns the values of a short list without the colour among them, in one value or in three numbers at
  /// its end: `["cat", "#800000"]`, `[0, "cat", [128, 0, 0]]`, `["cat", 128, 0, 0]`.
  private static func withoutColors(_ values: [Literal]) -> [Literal] {
    if (4...5).contains(values.count), values.suffix(3).allSatisfy(isShade),
      !values.dropLast(3).allSatisfy(isShade)
    {
      return values.dropLast(3)
    }
    let rest = values.filter { !isColor($0) }
    return values.count > 3 || rest.isEmpty || rest.count < values.count - 1 ? values : rest
  }

  /// Returns whether a value is a colour: a string such as `#800000`, or a list of three or four numbers.
  private static func isColor(_ value: Literal) -> Bool {
    switch value {
    case .text(let text), .word(let text): ColorNotation.isColor(text)
    case .list(let values): (3...4).contains(values.count) && values.allSatisfy(isShade)
    case .map, .other: false
    }
  }

  private static func isShade(_ value: Literal) -> Bool {
    guard case .word(let word) = value, let shade = Double(word) else { return false }
    return (0...255).contains(shade)
  }
}
