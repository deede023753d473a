// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// How many descriptors the process may have open: each connection takes one.
package enum DescriptorLimit {
  /// What it may have now; 1,024 where the system does not say.
  package static var present: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? 1_024 }

  /// Raises it to what the system allows, at most 65,536: more would only make the start of programs slow.
  package static func raise() {
    guard var limit else { return }
    let wanted = min(limit.rlim_max, 65_536)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    unsafe setrlimit(resource, &limit)
  }

  /// The connections that leave enough for everything else: above them they wait in the kernel's queue, where a server
  /// without descriptors would ask for them again and again.
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
