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
    /// A cell of the matrix; classes by their place in `labels`.
    package struct Cell: Sendable, Hashable {
      package var given: Int
      /// Nil for no answer.
      package var answered: Int?

      /// Makes a cell.
      package init(given: Int, answered: Int?) {
        self.given = given
        self.answered = answered
      }
    }

    /// The photos of each cell; those that are missing have none, so that 10,000 classes cost no more than their photos.
    package var photos: [Cell: Int]

    /// Makes one.
    package init(_ photos: [Cell: Int]) { self.photos = photos }
  }
}
