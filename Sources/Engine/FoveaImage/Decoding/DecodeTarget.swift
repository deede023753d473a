// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How large a decoded image must be.
public enum DecodeTarget: Sendable, Hashable {
  /// As large as it is stored.
  case full
  /// At least this wide and this high, in the stored orientation; a larger image may be decoded at a half, a
  /// quarter or an eighth of its size, which is cheaper. An image that is smaller than this is decoded as it is.
  case atLeast(PixelSize)

  /// The largest of the factors 1, 2, 4 and 8 by which both sides of `size` may be divided.
  ///
  /// A reduced image must be a quarter larger than asked for: just above the final size, two coarse filters follow
  /// each other, and the result is four times as far from a single fine one (mean difference 2 of 255 instead of
  /// 0.5). Factors between the powers of two have no vector code in libjpeg-turbo: 5/8 takes longer than full size.
  func reduction(of size: PixelSize) -> Int {
    guard case .atLeast(let least) = self else { return 1 }
    func suffices(_ side: Int, _ factor: Int, _ least: Int) -> Bool {
      Double(side / factor) >= Double(least) * 1.25
    }
    for factor in [8, 4, 2]
    where suffices(size.width, factor, least.width) && suffices(size.height, factor, least.height) {
      return factor
    }
    return 1
  }
}
