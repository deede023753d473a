// SPDX-License-Identifier: Apache-2.0
#if Server
extension InternetAddress {
  /// An IPv6 address as browsers write it, without brackets: in lower case, with `::` for the first of the
  /// longest runs of zeros.
  ///
  /// **Source:** URL Standard, section 3.5, "IPv6 serializer".
  var webText: String {
    let pieces = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    var longest = 0..<0
    var start = 0
    while start < pieces.count {
      let end = pieces[start...].firstIndex(where: { $0 != 0 }) ?? pieces.count
      // A single zero is kept.
      if end - start > max(longest.count, 1) { longest = start..<end }
      start = max(end, start + 1)
    }
    let texts = pieces.map { String($0, radix: 16) }
    guard !longest.isEmpty else { return texts.joined(separator: ":") }
    return texts[..<longest.lowerBound].joined(separator: ":") + "::"
      + texts[longest.upperBound...].joined(separator: ":")
  }
}
#endif
