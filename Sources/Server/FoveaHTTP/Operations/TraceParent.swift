// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The position of a request in a trace started by its caller.
///
/// **Source:** Trace Context, W3C Recommendation of 23 November 2021, section 3.2.
package struct TraceParent: Sendable, Hashable {
  /// 32 hexadecimal digits, shared by all requests of a trace.
  package let trace: String
  /// 16 hexadecimal digits: the caller's step, or this server's.
  package let span: String
  /// Two hexadecimal digits: whether the trace is recorded.
  package let flags: String

  /// Reads a header; nil if it is missing or malformed, which starts no trace.
  package init?(_ text: String?) {
    guard let text else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // Later versions may have more parts; version 255 is invalid.
    guard parts.count >= 4, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      zip(parts, [2, 32, 16, 2]).allSatisfy({ part, count in part.isLowerHexadecimal(count) }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    trace = String(parts[1])
    span = String(parts[2])
    flags = String(parts[3])
  }

  private init(trace: String, span: String, flags: String) {
    self.trace = trace
    self.span = span
    self.flags = flags
  }

  /// Returns this server's step in the trace.
  /// - Parameter number: The id of the step, not 0; use a random one.
  /// - Returns: The same trace with that step.
  package func child(_ number: UInt64) -> TraceParent {
    let digits = String(max(1, number), radix: 16)
    return TraceParent(
      trace: trace, span: String(repeating: "0", count: 16 - digits.utf8.count) + digits, flags: flags)
  }

  /// The header's value.
  package var text: String { "00-\(trace)-\(span)-\(flags)" }
}
#endif
