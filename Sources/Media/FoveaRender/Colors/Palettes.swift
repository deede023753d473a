// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// One colour for each class name: the same in every image, in every run and on every machine.
public enum ClassPalette {
  /// The colours that class names are spread over; bright and far apart, so that they stand out on photographs.
  ///
  /// The order is part of the promise: it decides which class has which colour. It gives the embedded model's five
  /// categories five different colours.
  public static let colors: [RGBColor] = [
    0xFF4F9A, 0x2563EB, 0x22C55E, 0x38BDF8, 0xF03CDC, 0xA3E635, 0xFF3B30, 0xFFD60A,
    0x15803D, 0xFF9500, 0x0E7490, 0x9F1239, 0xB84DFF, 0xC2571A, 0x6B21B8, 0x2DD4BF,
  ].map { RGBColor(hex: $0) }

  /// The colour of an object without a class: a light grey, so that the saturated ones stay for those that have one.
  public static let unlabelled = RGBColor(hex: 0xE8EDF2)

  /// The colour of a class.
  ///
  /// There are fewer colours than class names, so two classes may share one.
  ///
  /// - Parameter key: The class name, compared byte by byte as UTF-8; empty for an object without a class.
  /// - Returns: A colour of `colors`, or `unlabelled` for the empty key.
  public static func color(for key: String) -> RGBColor {
    guard !key.isEmpty else { return unlabelled }
    return colors[Int(FNV1a.hash(key.utf8) % UInt64(colors.count))]
  }
}

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
