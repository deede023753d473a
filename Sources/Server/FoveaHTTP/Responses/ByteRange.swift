// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The request of a `Range` header for a file of known size (RFC 9110 section 14).
package enum RangeRequest: Equatable, Sendable {
  /// The whole file: no header, another unit, an invalid header, or so many ranges that the answer would be
  /// larger than the file.
  case whole
  /// These bytes, in the requested order; never empty.
  case parts([Range<Int64>])
  /// None of the requested bytes exist.
  case unsatisfiable

  /// The maximum number of ranges; more are answered with the whole file, as the RFC recommends against
  /// amplification.
  package static let mostParts = 16

  package init(_ header: String?, size: Int64) {
    guard let header, let equals = header.firstIndex(of: "="),
      header[..<equals].lowercased() == "bytes"
    else {
      self = .whole
      return
    }
    var parts: [Range<Int64>] = []
    let specs = header[header.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
    guard specs.count <= RangeRequest.mostParts else {
      self = .whole
      return
    }
    for spec in specs {
      switch RangeRequest.part(spec.trimmingBlanks, size: size) {
      case .bytes(let part): parts.append(part)
      case .outside: continue
      case .invalid:
        self = .whole
        return
      }
    }
    guard !parts.isEmpty else {
      self = .unsatisfiable
      return
    }
    self = RangeRequest.areAmplifying(parts, size: size) ? .whole : .parts(parts)
  }

  /// A range of the header: bytes of the file, a range beyond its end, or an invalid one.
  private enum Part {
    case bytes(Range<Int64>)
    case outside
    case invalid
  }

  private static func part(_ text: String, size: Int64) -> Part {
    guard let dash = text.firstIndex(of: "-") else { return .invalid }
    let first = text[..<dash]
    let last = text[text.index(after: dash)...]
    if first.isEmpty {
      guard let count = number(last) else { return .invalid }
      return count == 0 || size == 0 ? .outside : .bytes(max(0, size - count)..<size)
    }
    guard let start = number(first), let end = last.isEmpty ? Int64.max : number(last), end >= start else {
      return .invalid
    }
    return start < size ? .bytes(start..<min(size, end == .max ? end : end + 1)) : .outside
  }

  /// Reads only decimal digits; values beyond 63 bits become the largest number.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(text) ?? .max
  }

  private static func areAmplifying(_ parts: [Range<Int64>], size: Int64) -> Bool {
    guard parts.count > 1 else { return false }
    var total: Int64 = 0
    for part in parts {
      total += Int64(part.count)
      if total > size { return true }
    }
    return false
  }
}
#endif
