// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Checks the key of a request again before the result is stored.
///
/// Throws `unauthenticated` if the key is no longer valid.
package typealias KeyCheck = @Sendable () throws(HostError) -> Void

/// The sender of a request and its permissions.
package struct Identity: Sendable, Equatable {
  /// For example `admin-1a2b@PROJECT.iam.gserviceaccount.com`.
  package let name: String
  /// The id of its key.
  package let key: String
  package let project: String
  package let role: HostKey.Role
  package let scopes: Set<Scope>

  /// - Throws: `forbidden` if the key's role, or the token, does not allow it.
  package func require(_ scope: Scope) throws(HostError) {
    guard !scopes.contains(scope) else { return }
    guard role.scopes.contains(scope) else {
      throw HostError(
        .forbidden, "The role \(role.rawValue) does not allow \(scope.rawValue)",
        remedy: "Use a key of another role")
    }
    throw HostError(
      .forbidden, "The token does not name the scope \(scope.rawValue)",
      remedy: "Request a token with that scope")
  }

  /// - Throws: `not-found` if the key belongs to another project, so that it learns nothing about this
  ///   project; the errors of ``require(_:)``.
  package func require(_ scope: Scope, in project: String) throws(HostError) {
    guard self.project == project else { throw Identity.unknownProject }
    try require(scope)
  }

  /// The error for every path of another project, whether it exists or not.
  package static let unknownProject = HostError(
    .notFound, "There is no such project, or the key does not belong to it",
    remedy: "Check the project's id")
}
#endif
