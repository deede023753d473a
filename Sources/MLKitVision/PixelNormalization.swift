// SPDX-License-Identifier: Apache-2.0

public import FoveaCompatibility

/// How a custom model wants its pixels: value = (pixel − mean) ÷ deviation.
public typealias PixelNormalization = FoveaCompatibility.PixelNormalization
