// SPDX-License-Identifier: Apache-2.0
#if Server
/// The mentions of the programs in a line of source text: commands with their options, and single options.
struct Mentions {
  /// The words after `fovea`, up to the first that can be neither a command nor an option.
  private(set) var calls: [[String]] = []
  /// Options outside of calls.
  private(set) var options: [String] = []

  /// The characters that end a call besides those that no shell allows in a word.
  private static let ends: Set<Character> = ["'", "\"", "`", "(", ")", ",", ";", ":", "\\", "|", "…", "?"]

  /// The prefixes of terms of `Advice`, which name commands and options without the program and dashes, and
  /// their replacements.
  private static let terms: [(start: String, words: String)] = [
    ("command", " fovea "), ("call", " fovea "), ("option", " --"), ("flag", " --"),
  ].flatMap { name, words in
    ["\\(\(name): \"", "program: .\(name)(\"", "Self.\(name)(\""].map { (start: $0, words: words) }
  }

  /// A line of source text with the names of its terms as printed by the programs.
  static func spelled(_ line: some StringProtocol) -> String {
    terms.reduce(String(line)) { $0.replacing($1.start, with: $1.words) }
  }

  init(_ line: some StringProtocol) {
    let line = Self.spelled(line)
    var rest = Substring(line)
    while let start = Self.start(in: rest) {
      take(rest[..<start])
      rest = rest[start...].dropFirst("fovea ".count)
      let call = rest.prefix { !Self.ends.contains($0) }
      rest = rest[call.endIndex...]
      calls.append(call.split(separator: " ").map { String($0.reversed().drop { $0 == "." }.reversed()) })
    }
    take(rest)
  }

  /// The start of the next call: the program's name as a separate word.
  private static func start(in text: Substring) -> Substring.Index? {
    var from = text.startIndex
    while let found = text[from...].firstRange(of: "fovea ") {
      let isWord =
        found.lowerBound == text.startIndex
        || {
          let before = text[text.index(before: found.lowerBound)]
          return !before.isLetter && !before.isNumber && !"-_./".contains(before)
        }()
      if isWord { return found.lowerBound }
      from = found.upperBound
    }
    return nil
  }

  private mutating func take(_ text: Substring) {
    var rest = text
    while let found = rest.firstRange(of: "--") {
      let isStart =
        found.lowerBound == text.startIndex
        || !("-" + "abcdefghijklmnopqrstuvwxyz0123456789_").contains(
          text[text.index(before: found.lowerBound)])
      rest = rest[found.upperBound...]
      let name = rest.prefix { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
      rest = rest[name.endIndex...]
      if isStart, name.first?.isLetter == true { options.append("--" + name) }
    }
  }
}

extension CommandTree {
  /// The error of a call: words that are not a command, or options that it does not accept.
  func problem(of call: [String]) -> String? {
    var node = root
    var path: [String] = []
    var words = call[...]
    while let word = words.first, !node.commands.isEmpty, !word.hasPrefix("-") {
      guard let next = node.commands[word] else {
        // A placeholder for a name, or the next word of a sentence about a group of commands.
        let isName = word.contains { !$0.isLowercase && $0 != "-" }
        return isName || !path.isEmpty && Self.fillers.contains(word)
          ? nil : "there is no 'fovea \((path + [word]).joined(separator: " "))'"
      }
      node = next
      path.append(word)
      words.removeFirst()
    }
    for word in words where word.hasPrefix("--") && word.count > 2 {
      let name = String(word.prefix { $0 != "=" && $0 != "[" && $0 != "]" })
      guard name.dropFirst(2).first?.isLowercase == true else { continue }
      if !node.options.contains(name) { return "'fovea \(path.joined(separator: " "))' has no \(name)" }
    }
    return nil
  }

  private static let fillers: Set<String> = [
    "and", "or", "as", "is", "are", "does", "prints", "gets", "reads",
  ]
}
#endif
