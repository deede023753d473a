// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The numbers and words of a line, regardless of the signs, quotes and brackets between them.
struct NumberRow {
  struct Number: Equatable {
    /// The value; at most `NumberRow.limit`.
    var value: Int
    /// The place in the line's bytes.
    var place: Range<Int>
    /// True if no letter touches the number.
    var isWord = false
  }

  /// The numbers in the order of the line, in any digits of Unicode: `2`, `２`, `٢`, `②`.
  private(set) var numbers: [Number] = []
  /// The words in the order of the line; nil for those with letters.
  private(set) var words: [Number?] = []
  private let bytes: [UInt8]

  /// The maximum size of a line; a damaged file may have a line of megabytes.
  private static let maximumBytes = 1024
  /// A value that is neither that of a class nor that of a colour.
  private static let limit = 1_000_000_000

  init(_ line: LabelLine) {
    bytes = line.text.utf8.count <= NumberRow.maximumBytes ? Array(line.text.utf8) : []
    guard !bytes.isEmpty else { return }
    var place = 0
    var number: Number?
    var isInWord = false
    var hasLetter = false
    for scalar in line.text.unicodeScalars {
      let end = place + UTF8.width(scalar)
      let digit = NumberRow.digit(scalar)
      if let digit {
        let value = min((number?.value ?? 0) * (digit > 9 ? 100 : 10) + digit, NumberRow.limit)
        number = Number(value: value, place: (number?.place.lowerBound ?? place)..<end)
      } else if let ended = number {
        numbers.append(ended)
        number = nil
      }
      let isLetter = digit == nil && NumberRow.isLetter(scalar)
      if digit != nil || isLetter {
        (isInWord, hasLetter) = (true, hasLetter || isLetter)
      } else if isInWord {
        endWord(hasLetter)
        (isInWord, hasLetter) = (false, false)
      }
      place = end
    }
    if let number { numbers.append(number) }
    if isInWord { endWord(hasLetter) }
  }

  private mutating func endWord(_ hasLetter: Bool) {
    if !hasLetter, let last = numbers.indices.last {
      numbers[last].isWord = true
      words.append(numbers[last])
    } else {
      words.append(nil)
    }
  }

  /// Returns the value of a digit, also of one in a circle or in brackets; nil for other scalars, such as the
  /// numbers among the letters of Chinese.
  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.isASCII { return ("0"..."9").contains(scalar) ? Int(scalar.value) - 0x30 : nil }
    let properties = scalar.properties
    guard properties.generalCategory == .decimalNumber || properties.generalCategory == .otherNumber,
      let value = properties.numericValue, (0...99).contains(value), value == value.rounded()
    else { return nil }
    return Int(value)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) : scalar.properties.isAlphabetic
  }

  var beginsWithNumber: Bool { numbers.first?.place.lowerBound == 0 }

  /// The letters of the line in lower case, without numbers, signs and spaces.
  var letters: String {
    var letters = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where NumberRow.isLetter(scalar) {
      letters.append(scalar)
    }
    return String(letters).lowercased()
  }

  /// True if the line, or a part between signs or spaces, names no object: `2,???,animal`, `2;;250`.
  var isFiller: Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !letters.isEmpty, !text.contains(part: LabelReading.placeholder) else { return true }
    return text.split { " \t,;:|()[]{}=\"'".contains($0) }.contains { part in
      part.contains(where: \.isLetter) && BackgroundName.isFiller(String(part))
    }
  }

  /// Returns the line without some of its numbers.
  func without(_ numbers: some Sequence<Number>) -> String {
    var rest = bytes
    for number in Array(numbers).reversed() { rest.removeSubrange(number.place) }
    return LabelLine.trimmed(String(decoding: rest, as: UTF8.self))
  }

  /// Returns the numbers of which a number is the first or the second, and the sign between them: `0.5 mm`,
  /// `0-2 years`; nil for a number of its own, as `2` is in `cls2,5 cat`.
  ///
  /// A sign that a line has twice separates columns: `cat,0,250`.
  func pair(of number: Number) -> (first: Int, sign: UInt8, second: Int)? {
    guard let place = numbers.firstIndex(where: { $0.place == number.place }) else { return nil }
    for (first, second) in [(place, place + 1), (place - 1, place)]
    where numbers.indices.contains(first) && numbers.indices.contains(second) {
      let (left, right) = (numbers[first], numbers[second])
      guard left.place.upperBound + 1 == right.place.lowerBound else { continue }
      let sign = bytes[left.place.upperBound]
      // `2.0` is a class number.
      let isWhole = sign == 0x2E && bytes[right.place] == [0x30] && first == place
      guard left.isWord, !isWhole, ".,:/-".utf8.contains(sign), bytes.count(where: { $0 == sign }) == 1
      else { continue }
      return (left.value, sign, right.value)
    }
    return nil
  }

  /// Returns whether a number begins the line, and a separator and a label that begins with a letter follow
  /// it.
  func isColumn(_ number: Number) -> Bool {
    let rest = bytes[number.place.upperBound...]
    guard number.place.lowerBound == 0, let sign = rest.first, ",;\t".utf8.contains(sign) else {
      return false
    }
    return LabelLine.trimmed(String(decoding: rest.dropFirst(), as: UTF8.self)).first?.isLetter == true
  }
}
