// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaModels
import Synchronization

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
  /// Other names of it, as a number where a protocol knows no others.
  package var aliases: [String] = []
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
    let (name, place) = ModelEntry.parts(argument)
    try self.init(name: name, place: place, host: host)
  }

  /// Reads names and places of models, of which a place may be the name of another one: then it is a second name of that.
  /// - Parameters:
  ///   - models: Names and places, in their order, with what is wanted of each.
  ///   - others: Models that may have second names as well.
  ///   - host: As in ``init(_:host:)``.
  /// - Returns: `others` and the models, without those that are second names.
  /// - Throws: As ``init(_:host:)``, and `option-invalid` for a second name with settings of its own.
  package static func entries(
    _ models: [(name: String, place: String, settings: ModelSettings)], after others: [ModelEntry] = [],
    host: HostAddress? = nil
  ) throws(FoveaError) -> [ModelEntry] {
    var entries = others
    var aliases: [(name: String, of: String)] = []
    let names = Set(models.map(\.name)).union(others.map(\.name))
    for model in models {
      // Ids of Vertex AI are numbers, and Roboflow's have a slash: any other name makes a model of its own.
      guard UInt64(model.name) != nil || model.name.contains("/"), model.place != model.name,
        names.contains(model.place), FileStatus(FilePath(model.place)) == nil
      else {
        var entry = try ModelEntry(name: model.name, place: model.place, host: host)
        entry.settings = model.settings
        entries.append(entry)
        continue
      }
      guard isName(model.name), model.settings == ModelSettings() else {
        throw .optionInvalid(
          "'\(model.name)' is a second name of '\(model.place)', and cannot be one with settings of its own",
          remedy: "Give it the model's file in place of its name")
      }
      aliases.append((model.name, model.place))
    }
    for alias in aliases {
      guard let index = entries.firstIndex(where: { $0.name == alias.of }) else {
        throw .optionInvalid(
          "'\(alias.name)' is a second name of '\(alias.of)', which is one itself",
          remedy: "Name the model that both mean")
      }
      entries[index].aliases.append(alias.name)
    }
    return entries
  }

  /// The name and the place of `NAME=FILE`; a place without a name is called as its file, without the ending.
  package static func parts(_ argument: String) -> (name: String, place: String) {
    guard let equals = argument.firstIndex(of: "=") else { return (stem(argument), argument) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
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
        remedy:
          "Use letters, digits, '.', '_' and '-', 64 at most, and one '/' between two parts, as in birds=\(place)"
      )
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
      let isHosted = try !exists && (host != nil || HostAddress.fromEnvironment()?.publishesVersions == true)
      if isHosted, isPart(place), try ModelStore.user().catalogue[place] == nil {
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

  /// Whether calls may name it so.
  func isCalled(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Whether an address can hold a name: one part, or two as Roboflow's `PROJECT/VERSION`.
  static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2 && text.utf8.count <= 64 && parts.allSatisfy { isPart(String($0)) }
  }

  /// Whether a text can be a segment of a path.
  static func isPart(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && text.isASCIIWord(with: "-._")
  }
}

/// The entries of models that the operator has given last.
final class CurrentEntries: Sendable {
  private let entries: Mutex<[ModelEntry]>

  init(_ entries: [ModelEntry]) { self.entries = Mutex(entries) }

  /// What calls name them.
  var names: Set<String> { entries.withLock { Set($0.map(\.name)) } }

  /// The entries in their order.
  var all: [ModelEntry] { entries.withLock { $0 } }

  /// Takes others.
  func replace(with new: [ModelEntry]) { entries.withLock { $0 = new } }
}
#endif
