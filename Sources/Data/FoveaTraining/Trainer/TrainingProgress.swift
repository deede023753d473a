// SPDX-License-Identifier: Apache-2.0

/// The progress of training.
public struct TrainingProgress: Sendable, Equatable {
  /// The current step.
  public enum Stage: Sendable, Equatable {
    /// Trying backbones on some of the photos.
    case trying(backbone: String)
    /// Detecting boxes in photos.
    case detecting
    /// Computing embeddings of photos.
    case embedding
    /// Finding the strength, fitting the head and writing the model.
    case learning
  }

  /// The current stage.
  public var stage: Stage
  /// The number of finished photos, counted once per tried backbone; 0 in a stage without photos.
  public var done: Int
  /// The total number of photos, times the number of tried backbones; 0 in a stage without photos.
  public var total: Int

  /// Creates a progress value.
  package init(_ stage: Stage, done: Int = 0, total: Int = 0) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}
