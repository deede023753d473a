// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaModels
import Synchronization

/// A model to serve: its name in requests and its location.
package struct ModelEntry: Sendable, Equatable {
  /// A model as an operator names it.
  package typealias Given = (name: String, place: String, settings: ModelSettings)

  /// The location of a model.
  package enum Source: Sendable, Hashable {
    /// Embedded in the program; it never changes.
    case embedded(EmbeddedModel)
    /// A `.tflite` file, a `.task` bundle or the folder of an AutoML export; a replaced file is reloaded.
    case file(String)
    /// On a model host, by default the one in `FOVEA_MODEL_HOST`; new versions are loaded automatically.
    case hosted(String, on: HostAddress? = nil)
  }

  package let name: String
  package let source: Source
  /// Other names of the model, such as a number for protocols that allow only numbers.
  package var aliases: [String] = []
  /// The operator's settings.
  package var settings = ModelSettings()

  package init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// The embedded detector, which answers requests that name no model.
  package static let embedded = ModelEntry(name: "default", source: .embedded(.detector))

  /// Reads `NAME=FILE`, `FILE`, or the name of an embedded, a downloaded or a hosted model.
  ///
  /// Without its own name, a model is named after its file, without the extension.
  /// - Parameters:
  ///   - argument: The text, `NAME=FILE`, `FILE` or a name.
  ///   - host: The host for names that are not a file, an embedded model or a catalogue model; nil uses the
  ///     host of `FOVEA_MODEL_HOST`, if it publishes versions.
  /// - Throws: `option-invalid` for a name that cannot be part of a URL, and the store's errors.
  package init(_ argument: String, host: HostAddress? = nil) throws(FoveaError) {
    let (name, place) = ModelEntry.parts(argument)
    try self.init(name: name, place: place, host: host)
  }

  /// Reads names and locations of models; a location may be another model's name, for which it is then an
  /// alias.
  /// - Parameters:
  ///   - models: The names and locations, in order, with their settings.
  ///   - host: The host, as in ``init(_:host:)``.
  /// - Returns: The models without the aliases, in the same order.
  /// - Throws: The errors of ``init(_:host:)``, and `option-invalid` for an alias with its own settings.
  package static func entries(
    _ models: [Given], host: HostAddress? = nil
  ) throws(FoveaError) -> [ModelEntry] {
    var entries: [ModelEntry] = []
    var aliases: [(name: String, of: String)] = []
    let names = Set(models.map(\.name))
    for model in models {
      // Vertex AI's ids are numbers and Roboflow's contain a slash: any other name creates a separate model.
      guard UInt64(model.name) != nil || model.name.contains("/"), model.place != model.name,
        names.contains(model.place), FileStatus(FilePath(model.place)) == nil
      else {
        var entry: ModelEntry
        do throws(FoveaError) {
          entry = try ModelEntry(name: model.name, place: model.place, host: host)
        } catch {
          throw secondName(model, among: models, error) ?? error
        }
        entry.settings = model.settings
        entries.append(entry)
        continue
      }
      try check(model.name, of: model.place)
      guard model.settings == ModelSettings() else {
        throw .optionInvalid(
          "'\(model.name)' is an alias of '\(model.place)' and cannot have its own settings",
          remedy: "Give it the model's file instead of its name")
      }
      aliases.append((model.name, model.place))
    }
    for alias in aliases {
      guard let index = entries.firstIndex(where: { $0.name == alias.of }) else {
        throw .optionInvalid(
          "'\(alias.name)' is an alias of '\(alias.of)', which is itself an alias",
          remedy: "Name the model that both refer to")
      }
      entries[index].aliases.append(alias.name)
    }
    return entries
  }

  /// Returns the error for a location that is only the name of another model, such as `b=a`; nil if it is
  /// not, or if `error` has another reason.
  private static func secondName(
    _ model: Given, among models: [Given], _ error: FoveaError
  ) -> FoveaError? {
    guard error.code == ModelStoreCode.unknownModel, model.place != model.name,
      let other = models.first(where: { $0.name == model.place })
    else { return nil }
    return .optionInvalid(
      "'\(model.name)' cannot be a second name of the model '\(other.name)': second names are numbers, or "
        + "contain '/'",
      remedy: "Write a number, such as 1=\(other.name), or the model's file: \(model.name)=\(other.place)")
  }

  /// Splits `NAME=FILE` into name and location; a location without a name is named after its file, without
  /// the extension.
  package static func parts(_ argument: String) -> (name: String, place: String) {
    guard let equals = argument.firstIndex(of: "=") else { return (stem(argument), argument) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  /// Reads a model host's address; nil for nil.
  /// - Throws: `option-invalid` for an invalid address.
  package static func host(_ text: String?) throws(FoveaError) -> HostAddress? {
    guard let text else { return nil }
    do { return try HostAddress(text) } catch { throw FoveaError(error) }
  }

  /// Reads the location of a named model.
  /// - Throws: The errors of ``init(_:host:)``.
  package init(name: String, place: String, host: HostAddress? = nil) throws(FoveaError) {
    self.name = name
    try ModelEntry.check(name, of: place)
    source = try ModelEntry.source(place, host)
  }

  /// The model's location as text: `built in: NAME`, a path, or a name on the host.
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
      let isHosted = try !exists && (host != nil || HostAddress.fromEnvironment()?.publishesVersions == true)
      if isHosted, isPart(place), try ModelStore.user().catalogue[place] == nil {
        return .hosted(place, on: host)
      }
      return .file(try ModelStore.path(for: place))
    } catch {
      throw FoveaError(error)
    }
  }

  /// The extensions of a model's file: one model, or a bundle of MediaPipe with several.
  static let extensions = [".tflite", ".task"]

  /// Returns the name of a file or folder without its extension.
  static func stem(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let ending = extensions.first { file.hasSuffix($0) }
    return String(file.dropLast(ending?.count ?? 0))
  }

  /// Returns whether requests may use a name for this model.
  func isCalled(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Checks that requests can contain a model's name.
  /// - Throws: `option-invalid` for a name that cannot be part of a URL, or whose URL is the server's own.
  private static func check(_ name: String, of place: String) throws(FoveaError) {
    guard isName(name) else {
      throw .optionInvalid(
        "'\(name)' cannot be a model's name in an address",
        remedy:
          "Use at most 64 letters, digits, '.', '_' and '-', with one '/' at most, as in birds=\(place)"
      )
    }
    // Roboflow's clients send images to /PROJECT/VERSION.
    guard !name.contains("/") || RoboflowRoutes.finds(name) else {
      let first = name.prefix { $0 != "/" }
      throw .optionInvalid(
        "'\(name)' cannot be a model's name: addresses that begin with /\(first)/ are routes of the server",
        remedy: "Write another word before the '/', as in my-\(name)=\(place)")
    }
  }

  /// Returns whether a URL can contain a name: one part, or two as in Roboflow's `PROJECT/VERSION`.
  static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2 && text.utf8.count <= 64 && parts.allSatisfy { isPart(String($0)) }
  }

  /// Returns whether the text can be a path segment.
  static func isPart(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && text.isASCIIWord(with: "-._")
  }
}

/// The operator's latest model entries.
final class CurrentEntries: Sendable {
  private let entries: Mutex<[ModelEntry]>

  init(_ entries: [ModelEntry]) { self.entries = Mutex(entries) }

  /// The models' names in requests.
  var names: Set<String> { entries.withLock { Set($0.map(\.name)) } }

  /// The entries in order.
  var all: [ModelEntry] { entries.withLock { $0 } }

  /// Replaces the entries.
  func replace(with new: [ModelEntry]) { entries.withLock { $0 = new } }
}
#endif
