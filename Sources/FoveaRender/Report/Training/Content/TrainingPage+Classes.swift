// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// The figures of one class.
  package struct ClassFigures: Sendable, Hashable {
    /// How many photos it has.
    package var photos: Int
    package var precision: Double?
    package var recall: Double?
    /// The harmonic mean of precision and recall.
    package var f1: Double?
    package var averagePrecision: Double?
    /// The least score of an answer of this class.
    package var threshold: Double?
    /// The class that its photos are taken for most.
    package var takenFor: TakenFor?
    /// By how much its recall is expected to grow with twice as many photos, 0…1: what the page sorts by.
    ///
    /// Classes without it come after those with it, the least recall first.
    package var gain: Double?

    /// Makes figures that have nothing but the number of photos.
    package init(photos: Int) { self.photos = photos }
  }

  /// The class that another one is taken for.
  package struct TakenFor: Sendable, Hashable {
    /// The class, by its place in `labels`.
    package var label: Int
    /// How many photos are taken for it.
    package var photos: Int

    /// Makes one.
    package init(label: Int, photos: Int) {
      self.label = label
      self.photos = photos
    }
  }

  /// How many photos of each class were given each class.
  package struct Confusion: Sendable, Hashable {
    /// `counts[given][answered]`, a row and a column for each class, in the order of `labels`.
    package var counts: [[Int]]
    /// For each class the photos without an answer; empty where each photo has one.
    package var unanswered: [Int]

    /// Makes one; missing rows and cells count as 0.
    package init(counts: [[Int]], unanswered: [Int] = []) {
      self.counts = counts
      self.unanswered = unanswered
    }
  }
}
