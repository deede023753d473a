// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The colours of class names, which are the same in every image, run and machine.
public enum ClassPalette {
  /// The colours, bright and distinct, so that they are visible on photographs.
  ///
  /// Their order is stable, because it sets the colour of each class. The embedded model's five categories
  /// have five different colours.
  package static let colors: [RGBColor] = [
    0xFF4F9A, 0x2563EB, 0x22C55E, 0x38BDF8, 0xF03CDC, 0xA3E635, 0xFF3B30, 0xFFD60A,
    0x15803D, 0xFF9500, 0x0E7490, 0x9F1239, 0xB84DFF, 0xC2571A, 0x6B21B8, 0x2DD4BF,
  ].map { RGBColor(hex: $0) }

  /// The colour of an object without a class: light grey, as saturated colours are for classes.
  package static let unlabelled = RGBColor(hex: 0xE8EDF2)

  /// Returns the colour of a class.
  ///
  /// Two classes may share a colour.
  ///
  /// - Parameter key: The class name, compared byte by byte as UTF-8; empty for an object without a class.
  /// - Returns: A colour of `colors`, or `unlabelled` for the empty key.
  public static func color(for key: String) -> RGBColor {
    guard !key.isEmpty else { return unlabelled }
    return colors[Int(FNV1a.hash(key.utf8) % UInt64(colors.count))]
  }
}

/// The colours of the identities of tracked objects, which are the same in every frame, run and machine.
public enum IdentityPalette {
  /// The colours of `ClassPalette` in the order of identities.
  ///
  /// Any five consecutive colours, including those that wrap around the end, are at least 38 apart in CIE
  /// L*a*b*, where 2.3 is just noticeable: objects that appear in succession are often visible together.
  package static let colors: [RGBColor] = [
    0x2563EB, 0xA3E635, 0xFF4F9A, 0x38BDF8, 0xB84DFF, 0xFF3B30, 0xFF9500, 0x2DD4BF,
    0x9F1239, 0x22C55E, 0x6B21B8, 0xFFD60A, 0xC2571A, 0x0E7490, 0xF03CDC, 0x15803D,
  ].map { RGBColor(hex: $0) }

  /// Returns the colour of an identity; identities that differ by a multiple of 16 share a colour.
  ///
  /// - Parameter identity: Any number, including negative ones.
  /// - Returns: A colour of `colors`.
  public static func color(for identity: Int) -> RGBColor {
    let rest = identity % colors.count
    return colors[rest < 0 ? rest + colors.count : rest]
  }
}
