// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes

/// Comparison of entity tags (RFC 9110 section 13.1).
package enum EntityTags {
  /// Returns whether `If-None-Match` contains the tag, including its quotes, or `*`; weak and strong forms
  /// count as equal.
  package static func matches(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { candidate in
      let candidate = String(candidate).trimmingBlanks
      return candidate == "*" || strong(candidate) == tag
    }
  }

  /// Returns whether `If-Match` allows an answer with the tag: it contains its strong form or `*`, or is
  /// missing.
  package static func allows(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return true }
    return header.split(separator: ",").contains { candidate in
      let candidate = String(candidate).trimmingBlanks
      return candidate == "*" || candidate == tag
    }
  }

  /// Returns whether a range of this representation may be sent: no `If-Range`, or exactly this strong tag.
  ///
  /// A date never matches, because tags are always known.
  package static func allowsRange(_ headers: HTTPFields, _ tag: String) -> Bool {
    guard let condition = headers[.ifRange] else { return true }
    return condition.trimmingBlanks == tag
  }

  private static func strong(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
}
#endif
