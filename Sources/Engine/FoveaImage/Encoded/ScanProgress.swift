// SPDX-License-Identifier: Apache-2.0

/// The bits of coefficients that the scans of a JPEG have contained so far.
///
/// A baseline file has all bits of a component in one scan. A progressive file has the first bits of bands of
/// coefficients, and the others in later scans.
///
/// **Source:** ITU-T T.81, B.2.2 and B.2.3 (headers of frames and scans) and G.1.1.1 (progression).
struct ScanProgress {
  private struct Coefficients {
    /// Those whose first bits are known.
    var begun: UInt64 = 0
    /// Those whose last bit is known.
    var complete: UInt64 = 0
  }

  private var components: [UInt8: Coefficients] = [:]
  private(set) var isProgressive = false

  /// The coefficient of a block's mean, DC.
  private static let mean: UInt64 = 1

  /// Whether a frame header has declared the components.
  var hasFrame: Bool { !components.isEmpty }
  /// Whether every bit of every coefficient is known.
  var isComplete: Bool { components.values.allSatisfy { $0.complete == .max } }
  /// Whether a component lacks even the means of its blocks, which the standard demands.
  var lacksMeans: Bool { components.values.contains { $0.begun & Self.mean == 0 } }
  /// True if a component lacks refinements that a scan has left to later ones, or everything but its means.
  ///
  /// The standard allows this, as it allows a band that no scan mentions; but writers do not leave these out.
  var lacksDetails: Bool {
    components.values.contains { $0.begun & ~$0.complete != 0 || $0.begun & ~Self.mean == 0 }
  }

  /// Processes a frame header.
  /// - Returns: Whether it is one, the first, of a coding that is not arithmetic or lossless.
  mutating func take(frame segment: ByteReader, marker: UInt8) -> Bool {
    guard (0xc0...0xc2).contains(marker), !hasFrame, let count = segment.byte(at: 5) else { return false }
    isProgressive = marker == 0xc2
    for index in 0..<Int(count) {
      guard let component = segment.byte(at: 6 + 3 * index) else { return false }
      components[component] = Coefficients()
    }
    return count > 0
  }

  /// Processes a scan header.
  /// - Returns: False if it is damaged or has a component that the frame does not have.
  mutating func take(scan segment: ByteReader) -> Bool {
    guard hasFrame, let count = segment.byte(at: 0), let first = segment.byte(at: 1 + 2 * Int(count)),
      let last = segment.byte(at: 2 + 2 * Int(count)), let bits = segment.byte(at: 3 + 2 * Int(count))
    else { return false }
    var band = UInt64.max
    if isProgressive {
      guard first <= last, last < 64 else { return false }
      band = (UInt64.max << first) & (UInt64.max >> (63 - last))
    }
    // The lower half is the position of the last bit that this scan contains.
    let isLast = !isProgressive || bits & 0x0f == 0
    for index in 0..<Int(count) {
      guard let component = segment.byte(at: 1 + 2 * index), components[component] != nil else {
        return false
      }
      components[component]?.begun |= band
      if isLast { components[component]?.complete |= band }
    }
    return true
  }
}
