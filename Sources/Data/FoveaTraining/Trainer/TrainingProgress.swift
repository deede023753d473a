// SPDX-License-Identifier: Apache-2.0

/// How far a training is.
public struct TrainingProgress: Sendable, Equatable {
  /// What is done now.
  public enum Stage: Sendable, Equatable {
    /// Backbones are tried on some of the photos.
    case trying(backbone: String)
    /// A detector finds boxes in photos.
    case detecting
    /// Photos become embeddings.
    case embedding
    /// Strengths are tried, the head is fitted, and its model written.
    case learning
  }

  /// The stage.
  public var stage: Stage
  /// The photos that are done, once for each backbone that is tried; 0 in a stage without photos.
  public var done: Int
  /// How many photos there are, times the backbones that are tried; 0 in a stage without photos.
  public var total: Int

  /// Makes a state.
  public init(_ stage: Stage, done: Int = 0, total: Int = 0) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}
