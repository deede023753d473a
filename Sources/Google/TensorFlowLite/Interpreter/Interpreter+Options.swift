// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension Interpreter {
  /// The options of an interpreter.
  public struct Options: Equatable, Hashable, Sendable {
    /// The number of threads per run; nil, 0 and negative numbers leave it to the interpreter, which uses 1.
    ///
    /// More threads shorten a run, up to the number of the machine's cores. Values above 256 count as 256.
    public var threadCount: Int?

    /// Whether XNNPACK computes; false by default, as in Google's class, and without effect.
    ///
    /// LiteRT always uses XNNPACK's kernels on a CPU, for float and quantised models, and plain kernels for
    /// operators that XNNPACK lacks.
    public var isXNNPackEnabled = false

    /// Creates options with the defaults.
    public init() {}

    /// The options of the session.
    var session: SessionOptions {
      guard let threadCount, threadCount > 0 else { return SessionOptions() }
      return SessionOptions(threads: min(threadCount, 256))
    }
  }
}

/// The former name of ``Interpreter/Options``.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
