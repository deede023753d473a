// SPDX-License-Identifier: Apache-2.0

/// How a session computes.
public struct SessionOptions: Sendable, Hashable {
  /// Which implementation of the operators runs.
  public enum Kernels: Sendable, Hashable {
    /// XNNPACK where it has the operator: the fast one, and the default.
    case optimized
    /// LiteRT's own kernels alone, without XNNPACK: often several times slower. A session whose graph XNNPACK cannot
    /// prepare falls back to them.
    case builtin
    /// LiteRT's plain reference implementation: slow, for comparing results.
    case reference
  }

  /// The number of threads that one run uses, 1 by default, at most 256.
  ///
  /// Raising it up to the number of cores shortens a single run and costs some CPU time; with several sessions at
  /// work, one thread each does more in all.
  public var threads = 1
  /// Which implementation runs.
  public var kernels = Kernels.optimized

  /// The defaults.
  public init() {}

  /// Options with a number of threads.
  public init(threads: Int) { self.threads = threads }
}
