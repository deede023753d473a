// SPDX-License-Identifier: Apache-2.0

extension NumberedLabels {
  /// Whether the numbers are those of classes and do not belong to the labels: no class is left out, or the
  /// labels cover most classes, or leave no doubt.
  var isNumbering: Bool { isWhole || isDense && !isOfRanges || isCertain || isHexadecimal }
  /// Whether a number is hexadecimal, which no label's own number is.
  var isHexadecimal: Bool { entries.contains(where: \.isHexadecimal) }

  /// Whether the numbers are a column of their own, as in `0,cat`, `1,dog`; of `1,4-dioxane`, the number
  /// belongs to the name.
  var isColumn: Bool { entries.allSatisfy(\.isColumn) }

  /// Whether the numbers belong to ranges, such as `0 - 2 years`, `3 - 9 years`, `10 and more`: wherever
  /// numbers are left out, the label before has one of them.
  var isOfRanges: Bool {
    let pairs = zip(entries, entries.dropFirst()).filter { $1.number - $0.number > 1 }
    return isSorted && !pairs.isEmpty
      && pairs.allSatisfy { label, next in
        NumberedLabels.firstNumber(in: label.text).map { $0 > label.number && $0 < next.number } == true
      }
  }

  /// The numbers are certainly those of classes, even with gaps.
  ///
  /// They rise from 0 or 1, or are a column of their own, and each label begins with a letter. After a single
  /// space, a number may also be a quantity, `1 door`, `4 wheels`, or a range, `0 or less`, `10 or more`:
  /// these must start at 0, have no digits, and begin with different words.
  var isCertain: Bool {
    let texts = entries.map(\.text).filter { !BackgroundName.isFiller($0) }
    guard least <= 1, isSorted || isColumn, !isOfRanges, !texts.isEmpty,
      texts.allSatisfy({ $0.first?.isLetter == true })
    else { return false }
    if entries.allSatisfy(\.isMarked) { return true }
    return least == 0 && !texts.contains { $0.contains(where: \.isNumber) }
      && Set(texts.map { $0.prefix { !$0.isWhitespace }.lowercased() }).count == texts.count
  }

  /// True if the numbers are certainly those of classes because the lines are in another order.
  ///
  /// `3 - 5 years`, `0 - 2 years`, `6 and more` and `4 seats`, `0 doors`, `2 wheels` are names if there are
  /// as many classes.
  var isCertainInAnyOrder: Bool {
    let named = entries.filter { !BackgroundName.isFiller($0.text) }
    return !isSorted && !named.isEmpty && named.allSatisfy { $0.text.first?.isLetter == true }
      && (isWhole || entries.count >= 20 || entries.allSatisfy(\.isMarked))
  }

  /// True if a sign follows each number, with gaps or not, and the lines are in no order: `9: cat`, `3: dog`.
  ///
  /// Columns, `9,cat`, `3,dog`, have rules of their own.
  var isShuffled: Bool {
    isCertainInAnyOrder && !isColumn && !isInTextOrder && entries.allSatisfy(\.isMarked)
  }

  /// Returns the first two entries with one number among entries that otherwise number classes; else nil.
  ///
  /// One of ten entries may have such a number, one of fewer if the numbers never fall: `1 cent`, `2 cent`,
  /// `1 euro` are names, and so are the ratios `1:1`, `1:2`. One number of all entries distinguishes none of
  /// them, so it hardly belongs to their names.
  static func twins(_ entries: [Entry]) -> (first: Entry, second: Entry)? {
    var known: [Int: Entry] = [:]
    var firsts: [Entry] = []
    var found: (first: Entry, second: Entry)?
    for entry in entries {
      guard let other = known.updateValue(entry, forKey: entry.number) else {
        firsts.append(entry)
        continue
      }
      known[entry.number] = other
      found = found ?? (first: other, second: entry)
    }
    guard let found, entries.allSatisfy({ $0.text.first?.isLetter == true }) else { return nil }
    if firsts.count == 1 { return LabelLine.areNames(entries.map(\.text)) ? found : nil }
    let count = entries.count - firsts.count
    guard count == 1 || count * 10 <= entries.count,
      entries.count >= 10 || zip(entries, entries.dropFirst()).allSatisfy({ $0.number <= $1.number }),
      LabelLine.areNames(firsts.map(\.text)), NumberedLabels(firsts)?.isNumbering == true
    else { return nil }
    return found
  }

  /// Returns the first whole number in a text; nil if there is none.
  private static func firstNumber(in text: String) -> Int? {
    let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let digits = text.utf8.drop { !isDigit($0) }.prefix(while: isDigit)
    return String(digits).flatMap { Int($0) }
  }
}
