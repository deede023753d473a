// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The links to the console that have been used, until they are void by themselves.
///
/// They are in memory alone: links of before the host's start are not good.
final class UsedLinks: Sendable {
  /// When the links of these ids end.
  private let links = Mutex<[String: Timestamp]>([:])

  /// Notes that a link is used.
  /// - Returns: Whether it is the first time.
  func use(_ id: String, until expires: Timestamp, now: Timestamp) -> Bool {
    links.withLock { links in
      links = links.filter { now < $0.value }
      return links.updateValue(expires, forKey: id) == nil
    }
  }
}
#endif
