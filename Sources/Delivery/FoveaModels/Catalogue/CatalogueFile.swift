// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The content of a catalogue before its validation.
struct CatalogueFile: Decodable {
  struct Model: Decodable {
    var name: String
    var aliases: [String]?
    var task: String
    var family: String?
    var labels: Int?
    var input: [Int]?
    var license: String
    var bytes: Int?
    var url: String
    var sha256: String
  }

  var layout: Int
  var models: [Model]
}

extension CatalogueFile.Model {
  /// Returns the entry, after validating everything that becomes a path, a request or a line in a terminal.
  func entry() throws(ModelStoreError) -> CatalogueEntry {
    let aliases = aliases ?? []
    if let wrong = ([name] + aliases).first(where: { !ModelName.isValid($0) }) {
      throw ModelCatalogue.invalid(
        "'\(Self.shown(wrong))' is not a name for a model: 1 to \(ModelName.maxLength) letters, digits, "
          + "'.', '_' and '-', a letter or digit first")
    }
    guard let task = CatalogueEntry.Task(task) else {
      throw ModelCatalogue.invalid(
        "the task of '\(name)' is '\(Self.shown(self.task))', not detect, label or segment")
    }
    guard url.hasPrefix("https://"), DownloadAddress.isPlain(url) else {
      throw ModelCatalogue.invalid("the URL of '\(name)' is '\(Self.shown(url))', not a https:// address")
    }
    guard ModelName.isFileName(CatalogueEntry.fileName(of: url)) else {
      throw ModelCatalogue.invalid("the URL of '\(name)' does not end in a file name: '\(Self.shown(url))'")
    }
    guard sha256.isSHA256 else {
      throw ModelCatalogue.invalid("the sha256 of '\(name)' is not 64 lowercase hexadecimal digits")
    }
    guard bytes.map({ $0 > 0 }) ?? true, labels.map({ $0 > 0 }) ?? true,
      input.map({ $0.count == 2 && $0.allSatisfy { $0 > 0 } }) ?? true
    else {
      throw ModelCatalogue.invalid("bytes, labels and the two numbers of input of '\(name)' must be positive")
    }
    guard Self.isLine(license), family.map(Self.isLine) ?? true else {
      throw ModelCatalogue.invalid("license and family of '\(name)' must be lines of 1 to 80 characters")
    }
    return CatalogueEntry(
      name: name, aliases: aliases, task: task, family: family, labelCount: labels,
      inputSize: input.map { CatalogueEntry.InputSize(width: $0[0], height: $0[1]) }, license: license,
      byteCount: bytes, url: url, sha256: sha256)
  }

  private static func isLine(_ text: String) -> Bool {
    (1...80).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Returns the text in a printable form for an error.
  private static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(100).map { $0.value < 0x20 ? "?" : $0 }))
  }
}
