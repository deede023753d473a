// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What a key is to be.
package struct KeyOrder: Sendable, Equatable {
  /// What it may do.
  package var role: HostKey.Role
  /// What its maker calls it: 1 to 64 characters without a control character; nil for no name.
  package var label: String?
  /// The universe domain for Google's clients; nil for Google's own.
  package var universe: String?
  /// The moment from which on it is void; nil for none.
  package var expires: Timestamp?

  package init(
    _ role: HostKey.Role, label: String? = nil, universe: String? = nil, expires: Timestamp? = nil
  ) {
    self.role = role
    self.label = label
    self.universe = universe
    self.expires = expires
  }

  /// - Throws: `invalid` for an end that has passed, and for a name that is none.
  func check(now: Timestamp) throws(HostError) {
    guard expires.map({ $0 > now }) ?? true else {
      throw HostError.invalidArgument("'expires' is not a moment to come as 2027-06-15T00:00:00Z")
    }
    guard let label else { return }
    guard (1...64).contains(label.unicodeScalars.count), label.printable == label,
      label.contains(where: { $0 != " " })
    else {
      throw HostError.invalidArgument("The name of a key has 1 to 64 characters and no control character")
    }
  }
}
#endif
