// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// Precision and recall at rising thresholds.
  package struct ThresholdCurve: Sendable, Hashable {
    /// The points, by rising threshold.
    package var points: [Point]
    /// The area under precision over recall.
    package var area: Double?

    /// Makes a curve.
    package init(points: [Point], area: Double? = nil) {
      self.points = points
      self.area = area
    }

    /// The answers from one threshold on.
    package struct Point: Sendable, Hashable {
      package var threshold: Double
      /// Not finite where there is no answer.
      package var precision: Double
      package var recall: Double

      /// Makes a point.
      package init(threshold: Double, precision: Double, recall: Double) {
        self.threshold = threshold
        self.precision = precision
        self.recall = recall
      }
    }
  }

  /// How often first answers are right, by their score.
  package struct Reliability: Sendable, Hashable {
    /// The bins, by rising score; those without photos may be left away.
    package var bins: [Bin]

    /// Makes a diagram.
    package init(bins: [Bin]) { self.bins = bins }

    /// The photos whose first answer has a score within a range.
    package struct Bin: Sendable, Hashable {
      /// The least score of the bin.
      package var from: Double
      /// The largest score of the bin.
      package var to: Double
      package var photos: Int
      /// The mean score of the answers.
      package var score: Double
      /// The share of answers that are right.
      package var right: Double

      /// Makes a bin.
      package init(from: Double, to: Double, photos: Int, score: Double, right: Double) {
        self.from = from
        self.to = to
        self.photos = photos
        self.score = score
        self.right = right
      }
    }
  }

  /// The share of right answers with more and more photos.
  package struct LearningCurve: Sendable, Hashable {
    /// What was measured, by rising number of photos.
    package var points: [Point]
    /// What is expected of more photos.
    package var forecast: Point?

    /// Makes a curve.
    package init(points: [Point], forecast: Point? = nil) {
      self.points = points
      self.forecast = forecast
    }

    /// The share of right answers after training with some photos.
    package struct Point: Sendable, Hashable {
      /// How many photos there are to learn from, of all classes.
      package var photos: Double
      package var accuracy: Double
      /// How far off it may be, to either side.
      package var uncertainty: Double?

      /// Makes a point.
      package init(photos: Double, accuracy: Double, uncertainty: Double? = nil) {
        self.photos = photos
        self.accuracy = accuracy
        self.uncertainty = uncertainty
      }
    }
  }
}
