// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
package import FoveaCore
import FoveaHTTP
package import FoveaModels

/// A server's configuration: the command line's options under the same names, and options that only the file
/// has.
///
/// ```json
/// {
///   "listen": "0.0.0.0:8443", "tls-self-signed": true, "keys": "keys.json",
///   "models": {"birds": {"model": "bird.tflite", "threshold": 0.4, "pinned": true}, "coco": "coco-ssd"},
///   "sources": {"gate": {"source": "rtsp://camera/1", "model": "coco", "lines": [[0, 200, 640, 200]]}},
///   "webhooks": [{"url": "https://example.org/hook", "secret-file": "hook.secret", "types": ["start"]}]
/// }
/// ```
package struct ServeFile: Sendable {
  /// A command-line option.
  package struct Option: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
      case flag(Bool)
      /// A string, or a number as text.
      case text(String)
      case list([String])
    }

    package let name: String
    package let value: Value
  }

  /// A model in the file; its location depends on the model host, which may be an option.
  struct Model: Sendable {
    let name: String
    let place: String
    var settings = ModelSettings()
  }

  package let path: String
  /// The options in the file's order; their names are not validated yet.
  package internal(set) var options: [Option] = []
  var models: [Model] = []
  package internal(set) var sources: [StreamEntry] = []
  package internal(set) var webhooks: [Webhook] = []
  /// The broker for events; nil if the file has none.
  package internal(set) var mqtt: MQTTSettings?

  private static let limit = 1 << 20

  /// Reads a file.
  /// - Throws: `config-invalid` with the location of the error; the errors of a source's address.
  package init(_ path: String) throws(FoveaError) {
    self.path = path
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(of: path, limit: ServeFile.limit) } catch {
      guard error.number != EINVAL else {
        throw FoveaError(
          .configInvalid, "The configuration '\(path)' is a pipe or a device, which can be read only once",
          remedy: "Write it to a file and name the file: SIGHUP reads it again")
      }
      throw FoveaError(
        .configInvalid, "The configuration '\(path)' cannot be read: \(error.message)",
        remedy: "Check the path and the permissions of the file")
    }
    var reader = ServeFileReader(bytes, folder: ServeFile.folder(of: path))
    do throws(ServeFileReader.Problem) { try reader.read(into: &self) } catch {
      switch error {
      case .json(let failure):
        throw invalid(
          "is invalid: \(failure.message)",
          remedy: failure.remedy.map { Advice($0) } ?? "Correct the file at that place")
      case .value(let failure): throw failure
      }
    }
  }

  /// Returns the models of the command line and of the file.
  /// - Parameters:
  ///   - given: The models of the command line.
  ///   - host: The host of named models, as in ``ModelEntry/init(_:host:)``.
  /// - Returns: The given models, then the file's with other names; each may be an alias of another.
  /// - Throws: The errors of a model's path; `option-invalid` for a given model that is only the name of one
  ///   in the file.
  package func entries(
    after given: [ModelEntry.Given] = [], host: HostAddress? = nil
  ) throws(FoveaError) -> [ModelEntry] {
    let names = Set(given.map(\.name))
    for model in given where model.name == model.place && models.contains(where: { $0.name == model.name }) {
      do throws(FoveaError) { _ = try ModelEntry(name: model.name, place: model.place, host: host) } catch {
        guard error.code == ModelStoreCode.unknownModel else { throw error }
        throw .optionInvalid(
          "There is no file '\(model.name)'; the configuration '\(path)' already serves its model of that "
            + "name",
          remedy: "Omit it, or write the file that replaces the model: \(model.name)=FILE")
      }
    }
    let own: [ModelEntry.Given] = models.filter { !names.contains($0.name) }
      .map { ($0.name, $0.place, $0.settings) }
    return try ModelEntry.entries(given + own, host: host)
  }

  /// Resolves a path in the file: relative paths start at the file's folder.
  package func resolved(_ place: String) -> String {
    ServeFile.resolved(place, in: ServeFile.folder(of: path))
  }

  static func resolved(_ place: String, in folder: String) -> String {
    place.hasPrefix("/") || folder.isEmpty ? place : folder + "/" + place
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
  }

  /// Returns the error for a problem in the file; `problem` follows the file's name.
  package func invalid(_ problem: String, remedy: Advice) -> FoveaError {
    FoveaError(.configInvalid, "The configuration '\(path)' \(problem)", remedy: remedy)
  }
}
#endif
