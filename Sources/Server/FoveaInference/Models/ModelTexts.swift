// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea

/// The texts that errors name a model's files by, which are the operator's alone, and what callers read in their place.
struct ModelTexts: Sendable {
  private var words: [(file: String, word: String)] = []

  /// What names the files of an entry, and those of the version at `path`, where a host has it from elsewhere.
  init(_ entry: ModelEntry, path: String? = nil) {
    switch entry.source {
    case .embedded(let model): words.append((model.description, entry.name))
    case .file(let file): words.append((file, entry.name))
    case .hosted: break
    }
    if let path { words.append((path, entry.name)) }
    let options = entry.settings.options
    if let labels = options.detector.labelFile {
      // The words stand without the quotes of a name, and once.
      for text in ["the label file '\(labels)'", "'\(labels)'", labels] {
        words.append((text, "the label file"))
      }
    }
    if let classifier = options.classifier, classifier.contains("/") {
      words.append((classifier, "the classifier"))
    }
    // One that begins another is replaced after it.
    words.sort { $0.file.utf8.count > $1.file.utf8.count }
  }

  /// The text with the words in place of the files.
  func concealed(_ text: String) -> String {
    words.reduce(text) { $0.replacing($1.file, with: $1.word) }
  }

  /// The error with the words in place of the files.
  func concealed(_ error: FoveaError) -> FoveaError {
    var error = error
    error.message = concealed(error.message)
    return error
  }
}
#endif
