// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// A photo as the page shows it.
  package struct Photo: Sendable, Hashable {
    /// What the page calls it.
    package var name: String
    /// The photo itself, 160 pixels at most; nil, or one above 64 KiB, shows the name alone.
    package var thumbnail: Thumbnail?

    /// Makes a photo.
    package init(name: String, thumbnail: Thumbnail? = nil) {
      self.name = name
      self.thumbnail = thumbnail
    }
  }

  /// A photo whose answer is not its class.
  package struct Mistake: Sendable, Hashable {
    package var photo: Photo
    /// The class it was given, by its place in `labels`.
    package var given: Int
    /// The first answer, by its place in `labels`; nil where no class reaches the threshold.
    package var answered: Int?
    /// The score of the answer, 0…1; of the likeliest class where there is none.
    package var score: Double

    /// Makes a mistake.
    package init(photo: Photo, given: Int, answered: Int?, score: Double) {
      self.photo = photo
      self.given = given
      self.answered = answered
      self.score = score
    }
  }

  /// A photo that is probably mislabelled.
  package struct Suspect: Sendable, Hashable {
    package var photo: Photo
    /// The class it was given, by its place in `labels`.
    package var given: Int
    /// The class it probably is, by its place in `labels`.
    package var likelier: Int
    /// How many times as likely the other class is.
    package var ratio: Double

    /// Makes a suspect.
    package init(photo: Photo, given: Int, likelier: Int, ratio: Double) {
      self.photo = photo
      self.given = given
      self.likelier = likelier
      self.ratio = ratio
    }
  }

  /// Photos that are probably the same.
  package struct SamePhotos: Sendable, Hashable {
    /// The photos, two at least.
    package var photos: [Copy]
    /// Whether the files are the same byte for byte, not only alike.
    package var isSameFile: Bool

    /// Makes a group.
    package init(photos: [Copy], isSameFile: Bool) {
      self.photos = photos
      self.isSameFile = isSameFile
    }

    /// One of the photos.
    package struct Copy: Sendable, Hashable {
      package var photo: Photo
      /// The class it was given, by its place in `labels`.
      package var given: Int
      /// Whether it is kept for the test.
      package var isTest: Bool

      /// Makes a copy.
      package init(photo: Photo, given: Int, isTest: Bool = false) {
        self.photo = photo
        self.given = given
        self.isTest = isTest
      }
    }
  }

  /// A photo that could not be used.
  package struct LeftOut: Sendable, Hashable {
    package var name: String
    /// Why, without a final stop.
    package var reason: String

    /// Makes one.
    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }
}
