// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes

/// Comparison of entity tags (RFC 9110 section 13.1).
package enum EntityTags {
  /// Whether `If-None-Match` names the tag, which has its quotes, or `*`; weak and strong forms count as equal.
  package static func matches(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { candidate in
      let candidate = String(candidate).trimmingBlanks
      return candidate == "*" || strong(candidate) == tag
    }
  }

  /// Whether `If-Match` allows an answer about the tag: it names it in its strong form, or `*`, or is not there.
  package static func allows(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return true }
    return header.split(separator: ",").contains { candidate in
      let candidate = String(candidate).trimmingBlanks
      return candidate == "*" || candidate == tag
    }
  }

  /// Whether a range may be taken of this representation: no `If-Range`, or this very tag in its strong form.
  ///
  /// A date is never taken, because tags are always known.
  package static func allowsRange(_ headers: HTTPFields, _ tag: String) -> Bool {
    guard let condition = headers[.ifRange] else { return true }
    return condition.trimmingBlanks == tag
  }

  private static func strong(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
}
#endif
