// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How large a decoded picture must be.
public enum DecodeTarget: Sendable, Hashable {
  /// As large as it is stored.
  case full
  /// At least this wide and this high, in the stored orientation; a larger picture may be decoded at a fraction of
  /// its size, which is cheaper. A picture that is smaller than this is decoded as it is.
  case atLeast(PixelSize)

  /// The largest of the factors 1, 2, 4 and 8 by which both sides of `size` may be divided.
  func reduction(of size: PixelSize) -> Int {
    guard case .atLeast(let least) = self else { return 1 }
    for factor in [8, 4, 2] where size.width / factor >= least.width && size.height / factor >= least.height {
      return factor
    }
    return 1
  }
}
