// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Asks again for the key of a request, before what the request does is stored.
///
/// Throws `unauthenticated` if the key is not live any more.
package typealias KeyCheck = @Sendable () throws(HostError) -> Void

/// Who sends a request, and what it may do.
package struct Identity: Sendable, Equatable {
  /// As in `admin-1a2b@PROJECT.iam.gserviceaccount.com`.
  package let name: String
  /// The id of its key.
  package let key: String
  package let project: String
  package let role: HostKey.Role
  package let scopes: Set<Scope>

  /// - Throws: `forbidden` where the key's role, or the token, does not allow it.
  package func require(_ scope: Scope) throws(HostError) {
    guard !scopes.contains(scope) else { return }
    guard role.scopes.contains(scope) else {
      throw HostError(
        .forbidden, "The role \(role.rawValue) does not allow \(scope.rawValue)",
        remedy: "Use a key of another role")
    }
    throw HostError(
      .forbidden, "The token does not name the scope \(scope.rawValue)",
      remedy: "Ask for a token with that scope")
  }

  /// - Throws: `not-found` where the key is another project's, which learns nothing of this one; else as ``require(_:)``.
  package func require(_ scope: Scope, in project: String) throws(HostError) {
    guard self.project == project else { throw Identity.unknownProject }
    try require(scope)
  }

  /// What every path of another project answers, whether it exists or not.
  package static let unknownProject = HostError(
    .notFound, "There is no such project, or the key is not one of its keys",
    remedy: "Check the project's id")
}
#endif
