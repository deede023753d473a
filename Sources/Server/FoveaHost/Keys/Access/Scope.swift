// SPDX-License-Identifier: Apache-2.0
#if Server
/// A permission that a route needs and a key grants.
package enum Scope: String, Sendable, CaseIterable {
  case readModels = "models.read"
  case writeModels = "models.write"
  case publishModels = "models.publish"
  case readConfig = "config.read"
  case publishConfig = "config.publish"
  case writeExperiments = "experiments.write"
  case writeEvents = "events.write"
  case manageKeys = "keys.admin"
}

extension HostKey.Role {
  /// All permissions of the role; an app's key only identifies the app.
  package var scopes: Set<Scope> {
    switch self {
    case .admin: Set(Scope.allCases)
    case .publisher:
      [.readModels, .writeModels, .publishModels, .readConfig, .publishConfig, .writeExperiments]
    case .viewer: [.readModels, .readConfig]
    case .app: []
    }
  }

  /// Returns the permissions of the role within a token's scopes, which are separated by spaces.
  ///
  /// Google's scopes for a whole project and for Firebase grant the whole role, those for storage everything
  /// that the role may do with models, since Google's clients have no finer scopes. Scopes of other services
  /// are ignored.
  package func scopes(within text: String) -> Set<Scope> {
    var granted: Set<Scope> = []
    for word in text.split(separator: " ") {
      granted.formUnion(Self.scopes(named: word))
    }
    return granted.intersection(scopes)
  }

  private static let google = "https://www.googleapis.com/auth/"

  private static func scopes(named word: Substring) -> Set<Scope> {
    guard word.hasPrefix(google) else { return Scope(rawValue: String(word)).map { [$0] } ?? [] }
    switch word.dropFirst(google.count) {
    case "cloud-platform", "firebase": return Set(Scope.allCases)
    case "devstorage.full_control", "devstorage.read_write":
      return [.readModels, .writeModels, .publishModels]
    case "devstorage.read_only": return [.readModels]
    case "firebase.remoteconfig": return [.readConfig, .publishConfig, .writeExperiments]
    default: return []
    }
  }
}
#endif
