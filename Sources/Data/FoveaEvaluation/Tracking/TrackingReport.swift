// SPDX-License-Identifier: Apache-2.0

/// The figures of several sequences, and of all of them together.
public struct TrackingReport: Sendable, Hashable {
  /// What one sequence scored.
  public struct Sequence: Sendable, Hashable {
    /// The sequence's name.
    public let name: String
    /// Its figures.
    public let metrics: TrackingMetrics
  }

  /// The rules by which boxes counted.
  public let benchmark: TrackingBenchmark
  /// The sequences, in the order in which they were added.
  public private(set) var sequences: [Sequence] = []
  /// The figures of all sequences together; see ``TrackingMetrics/init(combining:)``.
  public var combined: TrackingMetrics { TrackingMetrics(combining: sequences.map(\.metrics)) }

  /// Starts a report without sequences.
  public init(benchmark: TrackingBenchmark) { self.benchmark = benchmark }

  /// Adds the figures of a sequence.
  public mutating func append(_ metrics: TrackingMetrics, of name: String) {
    sequences.append(Sequence(name: name, metrics: metrics))
  }
}
