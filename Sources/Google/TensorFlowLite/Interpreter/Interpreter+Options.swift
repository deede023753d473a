// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension Interpreter {
  /// How an interpreter computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// The number of threads that a run uses; nil, 0 and negative numbers leave it to the interpreter, which takes 1.
    ///
    /// More threads shorten a run, up to the number of the machine's cores. More than 256 count as 256.
    public var threadCount: Int?

    /// Whether XNNPACK computes; false by default, as in Google's class, and without effect.
    ///
    /// LiteRT always computes with XNNPACK's kernels on a CPU, for float and quantised models, and with plain ones
    /// where it has none.
    public var isXNNPackEnabled = false

    /// Makes options with the defaults.
    public init() {}

    /// What a session takes.
    var session: SessionOptions {
      guard let threadCount, threadCount > 0 else { return SessionOptions() }
      return SessionOptions(threads: min(threadCount, 256))
    }
  }
}

/// The former name of ``Interpreter/Options``.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
