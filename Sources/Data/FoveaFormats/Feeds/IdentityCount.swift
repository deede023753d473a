// SPDX-License-Identifier: Apache-2.0

/// How many different identities there were, in little memory: they are given out in rising order.
package struct IdentityCount {
  private var seen: Set<Int> = []
  private var counted = 0
  private var oldest = Int.min

  package init() {}

  /// How many identities were seen.
  package var count: Int { counted + seen.count }

  /// Takes an identity; nil is no object.
  package mutating func see(_ identity: Int?) {
    guard let identity, identity >= oldest else { return }
    seen.insert(identity)
    // Identities far behind the newest are counted and forgotten; none of them comes back that late.
    guard seen.count > 65_536, let newest = seen.max() else { return }
    let limit = newest - 32_768
    let recent = seen.filter { $0 >= limit }
    counted += seen.count - recent.count
    seen = recent
    oldest = limit
  }
}
