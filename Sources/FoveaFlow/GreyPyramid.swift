// SPDX-License-Identifier: Apache-2.0

/// A grey picture at full size, a half, a quarter and so on.
public struct GreyPyramid: Sendable {}
