// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// The addresses of a host's project, and the device's files for it.
struct ConfigPlace: Sendable {
  let host: HostAddress
  let data: HostData
  /// The part of file names that is unique to this host, project and app.
  let id: String

  /// - Throws: `hostMissing`, `store`.
  init(host: HostAddress?, folder: String?, app: String = "") throws(ConfigError) {
    let place: HostAddress
    do throws(ModelStoreError) {
      if let host {
        place = host
      } else if let named = try HostAddress.fromEnvironment() {
        place = named
      } else {
        throw ConfigPlace.missing(nil)
      }
      guard place.route({ String($0) }) != nil else { throw ConfigPlace.missing(place) }
      data = try HostData(folder: folder)
    } catch {
      throw ConfigError(error)
    }
    self.host = place
    id = String(SHA256.hexadecimal(of: Array("\(place.description)\n\(app)".utf8).span).prefix(16))
  }

  private static func missing(_ host: HostAddress?) -> ModelStoreError {
    ModelStoreError(
      .hostMissing,
      host.map { "'\($0)' is not the address of a project of a host" } ?? "No host is set",
      remedy: "Set \(HostAddress.variable) to the line that \(command: "host init") printed, such as "
        + "https://HOST/v1beta2/projects/PROJECT/models/{name}:download?key=KEY")
  }

  /// Returns an address of the project.
  /// - Throws: `hostMissing`.
  func address(_ path: String) throws(ConfigError) -> DownloadAddress {
    guard let address = host.route({ "/v1/projects/\($0)/\(path)" }) else {
      throw ConfigError(ConfigPlace.missing(host))
    }
    return address
  }

  /// Returns the device's installation id.
  /// - Throws: `store`.
  func installation() throws(ConfigError) -> String {
    do throws(ModelStoreError) { return try data.installation() } catch { throw ConfigError(error) }
  }
}
