// SPDX-License-Identifier: Apache-2.0
#if Server
/// The readers of a template.
package enum ConfigNamespace: String, Sendable, Hashable, Codable, CaseIterable {
  /// Apps: the host evaluates its conditions.
  case apps = "firebase"
  /// Servers: the Admin SDKs evaluate its conditions.
  case servers = "firebase-server"

  /// The name of its template in an exported folder.
  package var fileName: String {
    switch self {
    case .apps: "remote-config.json"
    case .servers: "remote-config-server.json"
    }
  }
}
#endif
