// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaGeometry

/// A line with a name, as events report it.
public struct CountingLine: Sendable, Hashable {
  /// The name: 1 to 64 letters A to Z, digits, `_` and `-`.
  public var name: String
  /// The start of the line, in pixels of the frame; "in" is from its left to its right.
  public var start: PixelPoint
  /// The end of the line, in pixels of the frame.
  public var end: PixelPoint

  /// Creates a line; `ObjectEvents` checks it.
  public init(_ name: String, from start: PixelPoint, to end: PixelPoint) {
    self.name = name
    self.start = start
    self.end = end
  }
}

/// A zone with a name, as events report it.
public struct CountingZone: Sendable, Hashable {
  /// The longest `dwell`: a day, in seconds.
  package static let longestDwell = 86_400.0

  /// The name: 1 to 64 letters A to Z, digits, `_` and `-`.
  public var name: String
  /// The corners in order, in pixels of the frame.
  public var corners: [PixelPoint]
  /// The labels of the objects that the zone sees; all if empty, as by default.
  public var labels: Set<String>
  /// The stay that is an event, in seconds, more than 0 and at most a day; nil for none, as by default.
  public var dwell: Double?

  /// Creates a zone; `ObjectEvents` checks it.
  public init(_ name: String, _ corners: [PixelPoint], labels: Set<String> = [], dwell: Double? = nil) {
    self.name = name
    self.corners = corners
    self.labels = labels
    self.dwell = dwell
  }

  /// Throws `invalid-zone` for a `dwell` outside its range.
  package func checkDwell() throws(CountingError) {
    // The negated form also refuses NaN.
    guard let dwell, !(dwell > 0 && dwell <= Self.longestDwell) else { return }
    throw CountingError(
      .invalidZone,
      "The dwell of zone '\(name)' is \(DecimalText.exact(dwell)) seconds; "
        + "more than 0 and at most 86400 expected",
      remedy: "Give the seconds of a stay, such as 15")
  }
}

/// The names of lines and zones: they appear in file names, topics and templates.
package enum ShapeName {
  /// Throws for a name with other characters, and for two equal ones.
  /// - Parameters:
  ///   - names: The names of all lines, or of all zones.
  ///   - code: The code of the error: `invalid-line` or `invalid-zone`.
  /// - Throws: An error with the code.
  package static func check(_ names: [String], _ code: CountingCode) throws(CountingError) {
    let kind = code == .invalidLine ? "line" : "zone"
    var seen: Set<String> = []
    for name in names {
      guard (1...64).contains(name.utf8.count), name.unicodeScalars.allSatisfy(isAllowed) else {
        throw CountingError(
          code,
          "The name '\(name.printable)' of a \(kind) is not 1 to 64 letters A to Z, digits, '_' and '-'",
          remedy: "Give a name such as 'drive' or 'door-2'")
      }
      guard seen.insert(name).inserted else {
        throw CountingError(
          code, "Two \(kind)s have the name '\(name)'", remedy: "Give each \(kind) its own name")
      }
    }
  }

  /// Returns a text as a name: its first 64 characters, with `_` for those that are not allowed.
  package static func fitted(_ text: some StringProtocol) -> String {
    String(text.unicodeScalars.prefix(64).map { isAllowed($0) ? Character($0) : "_" })
  }

  /// Returns whether a name may have a character.
  package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: false
    }
  }
}
