// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The properties of a requested key.
package struct KeyProperties: Sendable, Equatable {
  /// The role, which determines its permissions.
  package var role: HostKey.Role
  /// The label from its creator: 1 to 64 characters without control characters; nil for none.
  package var label: String?
  /// The universe domain for Google's clients, which an app does not have; nil for Google's own.
  package var universe: String?
  /// The time at which it expires; nil if it does not.
  package var expires: Timestamp?

  package init(
    _ role: HostKey.Role, label: String? = nil, universe: String? = nil, expires: Timestamp? = nil
  ) {
    self.role = role
    self.label = label
    self.universe = universe
    self.expires = expires
  }

  /// - Throws: `invalid` for an expiry in the past, and for an invalid universe or name.
  func check(now: Timestamp) throws(HostError) {
    guard expires.map({ $0 > now }) ?? true else {
      throw HostError.invalidArgument("'expires' is not a future time such as 2027-06-15T00:00:00Z")
    }
    if let universe {
      guard role != .app else { throw HostError.invalidArgument("The key of an app has no 'universe'") }
      guard HostName.isDomain(universe) else {
        throw HostError.invalidArgument(
          "'universe' is a domain name such as my.domain, not \(HostName.shown(universe))")
      }
    }
    guard let label else { return }
    guard (1...64).contains(label.unicodeScalars.count), label.printable == label,
      label.contains(where: { $0 != " " })
    else {
      throw HostError.invalidArgument("The name of a key has 1 to 64 characters and no control characters")
    }
  }
}
#endif
