// SPDX-License-Identifier: Apache-2.0

/// One colour for each identity of a tracked object: the same in every frame, in every run and on every machine.
public enum IdentityPalette {
  /// The colours in the order that identities take them: those of `ClassPalette`, so placed that any five in a row, also
  /// around the end, are at least 38 apart in CIE L*a*b*, where 2.3 is just noticeable.
  ///
  /// Objects that appear one after the other are those that are seen together.
  public static let colors: [RGBColor] = [
    0x2563EB, 0xA3E635, 0xFF4F9A, 0x38BDF8, 0xB84DFF, 0xFF3B30, 0xFF9500, 0x2DD4BF,
    0x9F1239, 0x22C55E, 0x6B21B8, 0xFFD60A, 0xC2571A, 0x0E7490, 0xF03CDC, 0x15803D,
  ].map { RGBColor(hex: $0) }

  /// The colour of an identity; those that are a multiple of 16 apart share one.
  ///
  /// - Parameter identity: Any number, also a negative one.
  /// - Returns: A colour of `colors`.
  public static func color(for identity: Int) -> RGBColor {
    let rest = identity % colors.count
    return colors[rest < 0 ? rest + colors.count : rest]
  }
}
