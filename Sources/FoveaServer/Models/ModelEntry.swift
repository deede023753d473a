// SPDX-License-Identifier: Apache-2.0
#if Server
  package import Fovea
  package import FoveaModels
  internal import FoveaSystem

  /// A model that a server is asked to serve: what calls name it, and where it is.
  package struct ModelEntry: Sendable, Equatable {
    /// Where a model is.
    package enum Source: Sendable, Hashable {
      /// In the program: never another one.
      case embedded(EmbeddedModel)
      /// A `.tflite` file or the folder of an AutoML export; a new file in its place is loaded.
      case file(String)
      /// On a model host, by default that of `FOVEA_MODEL_HOST`; a version that it publishes is loaded.
      case hosted(String, on: HostAddress? = nil)
    }

    package let name: String
    package let source: Source
    /// What the operator wants of it.
    package var settings = ModelSettings()

    package init(name: String, source: Source) {
      self.name = name
      self.source = source
    }

    /// The embedded detector, which answers where a call names no model.
    package static let embedded = ModelEntry(name: "default", source: .embedded(.detector))

    /// Reads `NAME=FILE`, `FILE`, or the name of an embedded, a downloaded or a hosted model.
    ///
    /// Without a name of its own, a model is called as its file, without the ending.
    /// - Parameters:
    ///   - argument: The text.
    ///   - host: Where names are that no file, no embedded model and no model of the catalogue has; nil for the host of
    ///     `FOVEA_MODEL_HOST`, where that publishes versions.
    /// - Throws: `option-invalid` for a name that an address cannot hold, and the store's errors.
    package init(_ argument: String, host: HostAddress? = nil) throws(FoveaError) {
      let equals = argument.firstIndex(of: "=")
      let place = equals.map { String(argument[argument.index(after: $0)...]) } ?? argument
      try self.init(
        name: equals.map { String(argument[..<$0]) } ?? ModelEntry.stem(place), place: place, host: host)
    }

    /// Reads the address of a model host; nil for nil.
    /// - Throws: `option-invalid` where it is none.
    package static func host(_ text: String?) throws(FoveaError) -> HostAddress? {
      guard let text else { return nil }
      do { return try HostAddress(text) } catch { throw FoveaError(error) }
    }

    /// Reads the place of a model that has a name.
    /// - Throws: As ``init(_:host:)``.
    package init(name: String, place: String, host: HostAddress? = nil) throws(FoveaError) {
      self.name = name
      guard ModelEntry.isName(name) else {
        throw .optionInvalid(
          "'\(name)' cannot be the name of a model in an address",
          remedy: "Use letters, digits, '.', '_' and '-', 64 at most, as in birds=\(place)")
      }
      source = try ModelEntry.source(place, host)
    }

    /// Where the model is, in words: `built in`, a path, or a name on the host.
    package var place: String {
      switch source {
      case .embedded(let model): "built in: \(model.rawValue)"
      case .file(let path): path
      case .hosted(let name, _): "host: \(name)"
      }
    }

    private static func source(_ place: String, _ host: HostAddress?) throws(FoveaError) -> Source {
      let exists = FileStatus(FilePath(place)) != nil
      if !exists, let embedded = EmbeddedModel(rawValue: place) { return .embedded(embedded) }
      do {
        let isHosted =
          try !exists && (host != nil || HostAddress.fromEnvironment()?.publishesVersions == true)
        if isHosted, isName(place), try ModelStore.user().catalogue[place] == nil {
          return .hosted(place, on: host)
        }
        return .file(try ModelStore.path(for: place))
      } catch {
        throw FoveaError(error)
      }
    }

    /// What a file or folder is called without its ending.
    static func stem(_ path: String) -> String {
      let file = path.split(separator: "/").last.map(String.init) ?? path
      return file.hasSuffix(".tflite") ? String(file.dropLast(7)) : file
    }

    /// Whether an address can hold a name.
    static func isName(_ text: String) -> Bool {
      (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
        && text.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
    }
  }
#endif
