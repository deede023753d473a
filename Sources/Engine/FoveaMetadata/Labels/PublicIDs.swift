// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The ids of WordNet and Freebase in front of labels.
///
/// **Source:** `synset_words.txt` of ImageNet with Caffe, `class-descriptions.csv` of Open Images.
enum PublicIDs {
  /// The maximum length of an id.
  private static let longest = 32

  /// The remark on labels without their ids.
  static let remark = "without the ids before the labels"

  /// Returns the labels behind the ids; nil unless each text has its own id and a label, except empty ones,
  /// placeholders and a background at one end.
  ///
  /// Of `n01440764 0`, `n01443537 1`, the numbers are those of the classes, whose names are the ids.
  static func labels(_ texts: [String]) -> [String]? {
    var ids: Set<Substring> = []
    var areNumbers = true
    var labels: [String] = []
    let background = background(of: texts)
    for (place, text) in texts.enumerated() {
      guard !text.isEmpty, text != LabelReading.placeholder, place != background else {
        labels.append(text)
        continue
      }
      guard let (id, label) = split(text), ids.insert(id).inserted else { return nil }
      labels.append(LabelLine.unquoted(label))
      areNumbers = areNumbers && LabelColumns.whole(label) != nil
    }
    return ids.count > 1 && !areNumbers ? labels : nil
  }

  /// Returns the place of a background without an id in the first line with a text, or else in the last one.
  private static func background(of texts: [String]) -> Int? {
    let isText: (String) -> Bool = { !$0.isEmpty }
    return [texts.firstIndex(where: isText), texts.lastIndex(where: isText)].compactMap(\.self)
      .first { BackgroundName.isOne(texts[$0]) }
  }

  /// Returns lines without their ids, which may be behind numbers: `0 128 0 0 n01440764 tench`.
  ///
  /// It is nil unless each line has its own id and a label, except blank ones, comments and a header.
  static func removed(from lines: [LabelLine]) -> [LabelLine]? {
    var ids: Set<Substring> = []
    var result = lines
    for (place, line) in lines.enumerated() where !line.text.isEmpty && !line.isComment {
      let scalars = line.text.unicodeScalars
      let start = scalars.firstIndex(where: \.properties.isAlphabetic) ?? scalars.endIndex
      let head = line.text[..<start]
      let numbers = head.last == "/" ? head.dropLast() : head
      if let (id, label) = split(String(line.text[numbers.endIndex...])), ids.insert(id).inserted {
        result[place].text = numbers + label
      } else if !ids.isEmpty || !line.mayBeColorHeader {
        return nil
      }
    }
    return ids.count > 1 ? result : nil
  }

  /// Returns a reading of which the labels have no ids before them.
  static func removed(from reading: LabelReading) -> LabelReading {
    guard let labels = labels(reading.names) else { return reading }
    var reading = reading
    reading.names = labels
    reading.remarks.append(remark)
    return reading
  }

  private static func split(_ text: String) -> (id: Substring, label: String)? {
    let start = text.unicodeScalars.prefix(longest + 1)
    guard let end = start.firstIndex(where: { " \t,;:".unicodeScalars.contains($0) }) else { return nil }
    let id = text[..<end]
    guard isWordNet(id) || isFreebase(id) else { return nil }
    let label = LabelLine.trimmed(text[text.unicodeScalars.index(after: end)...])
    return LabelLine.unquoted(label).isEmpty ? nil : (id, label)
  }

  /// Returns whether a text is an id and nothing else.
  static func isOne(_ text: String) -> Bool {
    text.utf8.count <= longest && (isFreebase(text[...]) || isSynset(text[...]))
  }

  /// Returns whether a text is an id in full and nothing else.
  static func isWhole(_ text: String) -> Bool {
    text.utf8.count <= longest && (isFreebase(text[...]) || isWordNet(text[...]))
  }

  /// An id of WordNet, also without its leading zeros.
  private static func isSynset(_ id: Substring) -> Bool {
    id.utf8.count > 1 && id.hasPrefix("n") && id.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
  }

  /// `n01440764`.
  private static func isWordNet(_ id: Substring) -> Bool {
    id.utf8.count == 9 && isSynset(id)
  }

  /// `/m/011k07`, `/g/11b`.
  private static func isFreebase(_ id: Substring) -> Bool {
    id.utf8.count > 3 && (id.hasPrefix("/m/") || id.hasPrefix("/g/"))
      && id.utf8.dropFirst(3).allSatisfy { $0.isASCIIDigit || $0 == 0x5F || (0x61...0x7A).contains($0) }
  }
}
