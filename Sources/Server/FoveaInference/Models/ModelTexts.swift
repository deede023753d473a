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
    case .file(let file): words.append((file, entry.name))
    case .hosted: break
    }
    if let path { words.append((path, entry.name)) }
    let options = entry.settings.options
    if let labels = options.detector.labelFile {
      // The longer strings include the quotes and the words before them, so that 'the label file' does not
      // appear twice.
      for text in ["the label file '\(labels)'", "'\(labels)'", labels] {
        words.append((text, "the label file"))
      }
    }
    if let classifier = options.classifier, classifier.contains("/") {
      words.append((classifier, "the classifier"))
    }
    // Longer names are replaced first, because a name may be a prefix of another.
    words.sort { $0.file.utf8.count > $1.file.utf8.count }
  }

  /// Returns the text with the file names replaced.
  func concealed(_ text: String) -> String {
    words.reduce(text) { $0.replacing($1.file, with: $1.word) }
  }

  /// Returns the error with the file names replaced.
  func concealed(_ error: FoveaError) -> FoveaError {
    var error = error
    error.message = concealed(error.message)
    return error
  }
}
#endif
