// SPDX-License-Identifier: Apache-2.0
#if Server
/// What a route needs, and a key allows.
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
  /// All that the role may do; an app's key only says which app it is.
  package var scopes: Set<Scope> {
    switch self {
    case .admin: Set(Scope.allCases)
    case .publisher:
      [.readModels, .writeModels, .publishModels, .readConfig, .publishConfig, .writeExperiments]
    case .viewer: [.readModels, .readConfig]
    case .app: []
    }
  }

  /// What is left of the role under the scopes that a token names, separated by spaces.
  ///
  /// Google's scopes for all of a project and for Firebase stand for the whole role, those for storage for all that it may
  /// do with models, since Google's clients know no finer ones. Scopes of other services are passed over.
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
