// SPDX-License-Identifier: Apache-2.0

package import FoveaModelFile

extension PixelScale {
  /// What makes them out of pixels 0…255.
  package var normalization: Normalization {
    switch self {
    case .bytes: Normalization(mean: [0], standardDeviation: [1])
    case .unit: Normalization(mean: [0], standardDeviation: [255])
    case .signed: Normalization(mean: [127.5], standardDeviation: [127.5])
    }
  }
}
