// SPDX-License-Identifier: Apache-2.0

/// The options of a session.
public struct SessionOptions: Sendable, Hashable {
  /// An implementation of the operators.
  public enum Kernels: Sendable, Hashable {
    /// XNNPACK for the operators that it has: fast, and the default.
    case optimized
    /// Only LiteRT's own kernels, without XNNPACK: often several times slower. A session whose graph XNNPACK
    /// cannot prepare falls back to them.
    case builtin
    /// LiteRT's plain reference implementation: slow, for comparing results.
    case reference
  }

  /// The number of threads for one run, 1 by default, at most 256.
  ///
  /// More threads, up to the number of cores, shorten a single run but cost some CPU time; several sessions
  /// at once have the highest throughput with one thread each.
  public var threads = 1
  /// The implementation of the operators; default: `optimized`.
  public var kernels = Kernels.optimized

  /// Creates options with the defaults.
  public init() {}

  /// Creates options with a number of threads.
  public init(threads: Int) { self.threads = threads }
}
