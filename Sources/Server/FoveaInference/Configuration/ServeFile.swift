// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
package import FoveaCore
import FoveaHTTP
package import FoveaModels

/// A server's configuration: what the command line can say, under the same names, and what it cannot.
///
/// ```json
/// {
///   "listen": "0.0.0.0:8443", "tls-self-signed": true, "keys": "keys.json",
///   "models": {"birds": {"model": "bird.tflite", "threshold": 0.4, "pinned": true}, "coco": "coco-ssd"},
///   "sources": {"gate": {"source": "rtsp://camera/1", "model": "coco", "lines": [[0, 200, 640, 200]]}}
/// }
/// ```
package struct ServeFile: Sendable {
  /// An option of the command line.
  package struct Option: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
      case flag(Bool)
      /// A text, or a number as one.
      case text(String)
      case list([String])
    }

    package let name: String
    package let value: Value
  }

  /// A model as the file has it; where it is depends on the model host, which may be an option.
  struct Model: Sendable {
    let name: String
    let place: String
    var settings = ModelSettings()
  }

  package let path: String
  /// The options in the order of the file, whose names are not yet known to be right.
  package internal(set) var options: [Option] = []
  var models: [Model] = []
  package internal(set) var sources: [StreamEntry] = []

  private static let limit = 1 << 20

  /// Reads a file.
  /// - Throws: `config-invalid` with the place of what is wrong; the errors of a source's place.
  package init(_ path: String) throws(FoveaError) {
    self.path = path
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(of: path, limit: ServeFile.limit) } catch {
      guard error.number != EINVAL else {
        throw FoveaError(
          .configInvalid, "The configuration '\(path)' is a pipe or a device, which can be read only once",
          remedy: "Write it to a file and name that: SIGHUP reads it again")
      }
      throw FoveaError(
        .configInvalid, "The configuration '\(path)' cannot be read: \(error.message)",
        remedy: ServeFile.remedy)
    }
    var reader = ServeFileReader(bytes, folder: ServeFile.folder(of: path))
    do throws(ServeFileReader.Problem) { try reader.read(into: &self) } catch {
      switch error {
      case .json(let failure): throw invalid("is wrong: \(failure.message)", remedy: ServeFile.remedy)
      case .value(let failure): throw failure
      }
    }
  }

  /// The models of the file, after some others; `host` is where names are, as in ``ModelEntry/init(_:host:)``.
  /// - Throws: The errors of a model's place.
  package func entries(after others: [ModelEntry] = [], host: HostAddress? = nil) throws(FoveaError)
    -> [ModelEntry]
  {
    let names = Set(others.flatMap { [$0.name] + $0.aliases })
    return try ModelEntry.entries(
      models.filter { !names.contains($0.name) }.map { ($0.name, $0.place, $0.settings) }, after: others,
      host: host)
  }

  /// A path of the file as this process opens it: what is not absolute begins at the file's folder.
  package func resolved(_ place: String) -> String {
    ServeFile.resolved(place, in: ServeFile.folder(of: path))
  }

  static func resolved(_ place: String, in folder: String) -> String {
    place.hasPrefix("/") || folder.isEmpty ? place : folder + "/" + place
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
  }

  /// The error for what is wrong in the file: `problem` follows its name.
  package func invalid(_ problem: String, remedy: Advice) -> FoveaError {
    FoveaError(.configInvalid, "The configuration '\(path)' \(problem)", remedy: remedy)
  }

  private static let remedy: Advice =
    "\(command: "serve --config FILE --check-config") reads it without a start"
}
#endif
