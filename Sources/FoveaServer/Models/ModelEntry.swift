// SPDX-License-Identifier: Apache-2.0
#if Server
  package import Fovea
  internal import FoveaModels
  internal import FoveaSystem

  /// A model that a server is asked to serve: what calls name it, and where it is.
  package struct ModelEntry: Sendable, Equatable {
    package let name: String
    package let source: ModelSource

    package init(name: String, source: ModelSource) {
      self.name = name
      self.source = source
    }

    /// The embedded detector, which answers where a call names no model.
    package static let embedded = ModelEntry(name: "default", source: .embedded(.detector))

    /// Reads `NAME=FILE`, `FILE`, or the name of an embedded or downloaded model.
    ///
    /// Without a name of its own, a model is called as its file, without the ending.
    /// - Throws: `option-invalid` for a name that an address cannot hold, and the store's errors.
    package init(_ argument: String) throws(FoveaError) {
      let equals = argument.firstIndex(of: "=")
      let place = equals.map { String(argument[argument.index(after: $0)...]) } ?? argument
      name = equals.map { String(argument[..<$0]) } ?? ModelEntry.stem(place)
      guard ModelEntry.isName(name) else {
        throw .optionInvalid(
          "'\(name)' cannot be the name of a model in an address",
          remedy: "Use letters, digits, '.', '_' and '-', 64 at most, as in birds=\(place)")
      }
      if let embedded = EmbeddedModel(rawValue: place), FileStatus(FilePath(place)) == nil {
        source = .embedded(embedded)
      } else {
        do { source = .file(try ModelStore.path(for: place)) } catch { throw FoveaError(error) }
      }
    }

    private static func stem(_ path: String) -> String {
      let file = path.split(separator: "/").last.map(String.init) ?? path
      return file.hasSuffix(".tflite") ? String(file.dropLast(7)) : file
    }

    private static func isName(_ text: String) -> Bool {
      (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
        && text.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
    }
  }
#endif
