// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea

/// Replaces, in errors for callers, the names of a model's files, which only the operator may see, with
/// general words.
struct ModelTexts: Sendable {
  private var words: [(file: String, word: String)] = []

  /// Collects the names of an entry's files, and of the version at `path` if it came from a host.
  init(_ entry: ModelEntry, path: String? = nil) {
    switch entry.source {
    case .embedded(let model): words.append((model.description, entry.name))
    case .file(let file): add(file, of: entry)
    case .hosted: break
    }
    if let path { add(path, of: entry) }
    let options = entry.settings.options
    if let labels = options.detector.labelFile { add(labels, as: "label file") }
    if let classifier = options.classifier, classifier.contains("/") { add(classifier, as: "classifier") }
    words.removeAll { $0.file.isEmpty }
    // Longer names are replaced first, because a name may be a prefix of another.
    words.sort { $0.file.utf8.count > $1.file.utf8.count }
  }

  private mutating func add(_ file: String, of entry: ModelEntry) {
    words.append(("no file or folder '\(file)'", "no file of the model '\(entry.name)'"))
    words.append((file, entry.name))
  }

  /// Adds a file that is shown without quotes.
  ///
  /// The longer strings include the words before it, so that 'the label file' does not appear twice, nor
  /// after 'no file or folder'.
  private mutating func add(_ file: String, as word: String) {
    words.append(("no file or folder '\(file)'", "no such \(word)"))
    for text in ["the \(word) '\(file)'", "'\(file)'", file] { words.append((text, "the \(word)")) }
  }

  /// Returns the text with the file names replaced.
  ///
  /// A replacement is never replaced again, and a short name is replaced only as a whole word.
  func concealed(_ text: String) -> String {
    var (shown, rest, last) = ("", text[...], Character?.none)
    while let next = rest.first {
      if let (file, word) = words.first(where: { Self.begins(rest, after: last, with: $0.file) }) {
        shown += word
        rest = rest.dropFirst(file.count)
        last = file.last
      } else {
        shown.append(next)
        rest = rest.dropFirst()
        last = next
      }
    }
    return shown
  }

  /// Returns whether a text begins with a name that is not inside a word.
  ///
  /// A path may be the start of a longer one, which must not be shown either.
  private static func begins(_ text: Substring, after last: Character?, with file: String) -> Bool {
    guard text.hasPrefix(file) else { return false }
    if isWordPart(last), isWordPart(file.first) { return false }
    let next = text.dropFirst(file.count).first
    return file.contains("/") || !isWordPart(file.last) || !isWordPart(next)
  }

  private static func isWordPart(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } ?? false
  }

  /// Returns the error with the file names replaced, and with its remedy in the words of callers.
  func concealed(_ error: FoveaError) -> FoveaError {
    var error = error
    error.message = concealed(error.message)
    error.remedy = Advice(concealed(error.remedy.asked))
    return error
  }
}
#endif
