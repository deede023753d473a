// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The limit of open descriptors: each connection takes one.
package enum DescriptorLimit {
  /// The current limit; 1,024 if unknown.
  package static var present: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? 1_024 }

  /// Raises the limit to the system's maximum, at most 65,536: a higher limit would only slow down the start
  /// of programs.
  package static func raise() {
    guard var limit else { return }
    let wanted = min(limit.rlim_max, 65_536)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    unsafe setrlimit(resource, &limit)
  }

  /// Returns the number of connections that leaves enough descriptors for everything else.
  ///
  /// Further connections wait in the kernel's queue; a server that has run out of descriptors would try to
  /// accept them again and again.
  package static func connections(within limit: Int) -> Int { min(20_000, max(limit - 256, limit / 2)) }

  private static var limit: rlimit? {
    var limit = rlimit()
    return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
  }

  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
}
#endif
