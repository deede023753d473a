// SPDX-License-Identifier: Apache-2.0

/// Damages texts of words, numbers and punctuation, such as JSON and CSV, so that most of them stay readable.
public struct TextMutator: Sendable {
  private var random: ByteMutator

  /// Starts the sequence of a seed.
  public init(seed: UInt64) { random = ByteMutator(seed: seed) }

  private static let values = [
    "0", "-1", "-0.0", "0.5", "1e308", "1e999", "-1e999", "1e-400", "2147483648", "9223372036854775807",
    "9223372036854775808", "1e1000000000000", "0.1234567890123456789012345678901234567890", "null", "true",
    "\"\"",
    "\"\\ud800\"", "[]", "{}", "[[]]", "NaN", "\"model.tflite\"", "\"../x\"", "", ",", "\n",
  ]

  /// Returns the text with one to three tokens changed, and sometimes other damage.
  public mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var tokens = Self.tokens(text)
    for _ in 0...random.below(3) where !tokens.isEmpty {
      let index = random.below(tokens.count)
      switch random.below(8) {
      case 0: tokens.remove(at: index)
      case 1: tokens.insert(tokens[index], at: random.below(tokens.count))
      case 2: tokens.swapAt(index, random.below(tokens.count))
      case 3:
        let piece = tokens[index..<min(index + 1 + random.below(12), tokens.count)]
        for _ in 0...random.below(40) { tokens.insert(contentsOf: piece, at: index) }
      case 4: tokens[index] = Array(repeating: tokens[index], count: 1 + random.below(700)).flatMap { $0 }
      default: tokens[index] = Array(Self.values[random.below(Self.values.count)].utf8)
      }
    }
    var bytes = tokens.flatMap { $0 }
    if random.below(8) == 0 { random.damage(&bytes, [text]) }
    return bytes
  }

  /// Words with their quotes, numbers, and each other byte separately.
  private static func tokens(_ text: [UInt8]) -> [[UInt8]] {
    var tokens: [[UInt8]] = []
    var isWord = false
    for byte in text {
      let continues =
        byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "\"'.-_+\\".utf8.contains(byte)
      if continues, isWord { tokens[tokens.count - 1].append(byte) } else { tokens.append([byte]) }
      isWord = continues
    }
    return tokens
  }
}
