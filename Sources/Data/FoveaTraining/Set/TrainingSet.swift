// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaGeometry

/// Labelled photos for training or evaluating a classifier.
///
///     let set = try TrainingSet(folder: "flowers")
///     print(set.classes, set.photos.count)
public struct TrainingSet: Sendable {
  /// One photo with its labels.
  public struct Photo: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The name in reports: the path below the folder, or as in the CSV file.
    public var name: String
    /// Its classes as ascending indices into `classes`; one, unless a CSV file lists several.
    public var labels: [Int]
    /// Whether the photo is only evaluated, never used for training.
    public var isTest: Bool
    /// The crop to use, in pixels of the unrotated image; nil for the entire photo.
    package var crop: BoundingBox?

    /// Creates a photo.
    package init(path: String, name: String, labels: [Int], isTest: Bool = false) {
      self.path = path
      self.name = name
      self.labels = labels
      self.isTest = isTest
    }
  }

  /// AutoML's name for the class of photos that show none of the others.
  package static let otherName = ObjectCrop.noneOfTheAbove

  /// The names of the classes, sorted by Unicode scalars; the class for everything else is last.
  public internal(set) var classes: [String]
  /// The photos, sorted by name.
  public internal(set) var photos: [Photo]
  /// The class of photos that show none of the others; nil if the set has no such photos.
  public internal(set) var otherClass: Int?

  /// The folder or file of the set.
  package let source: String
  /// Notes on skipped content, as sentences without the final stop.
  var readingNotes: [String] = []
  /// A note on files in the folder that are not images, as a sentence without the final stop.
  var passedOver: String?

  /// Whether a photo has several labels.
  public var isMultiLabel: Bool { photos.contains { $0.labels.count > 1 } }

  /// The number of training photos of each class.
  public var counts: [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for photo in photos where !photo.isTest { for label in photo.labels { counts[label] += 1 } }
    return counts
  }

  /// Creates a set of crops, in the given order.
  init(classes: [String], otherClass: Int?, crops: [Photo], source: String) {
    self.classes = classes
    self.otherClass = otherClass
    photos = crops
    self.source = source
  }

  /// The maximum number of classes.
  static let maximumClassCount = 10_000

  /// Creates a set from photos with class names.
  /// - Parameters:
  ///   - items: Photos with the names of their classes.
  ///   - others: Photos that show none of the classes.
  ///   - source: The folder or file, for errors.
  /// - Throws: `invalidSet` for invalid label names.
  init(_ items: [(photo: Photo, labels: [String])], others: [Photo], source: String) throws(TrainingError) {
    let names = try ClassNames.distinct(items.lazy.flatMap(\.labels), source: source)
    var known = names.subtracting([TrainingSet.otherName]).sorted(by: ClassNames.precedes)
    try ClassNames.check(known, source: source)
    let hasOthers = !others.isEmpty || names.contains(TrainingSet.otherName)
    if hasOthers { known.append(TrainingSet.otherName) }
    let indices = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
    var photos = items.map { item in
      var photo = item.photo
      photo.labels = item.labels.compactMap { indices[$0] }.sorted()
      return photo
    }
    photos += others.map { other in
      var photo = other
      photo.labels = [known.count - 1]
      return photo
    }
    classes = known
    otherClass = hasOthers ? known.count - 1 : nil
    self.source = source
    self.photos = photos.sorted { ClassNames.precedes($0.name, $1.name) }
  }
}
