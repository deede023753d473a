// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaGeometry

/// Labelled photos: what a classifier learns from, or is judged by.
///
///     let set = try TrainingSet(folder: "flowers")
///     print(set.classes, set.photos.count)
public struct TrainingSet: Sendable {
  /// One photo with its labels.
  public struct Photo: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// What reports call it: the path below the folder, or as the CSV has it.
    public var name: String
    /// Its classes, as indices into `classes`, rising; one, unless a CSV names several.
    public var labels: [Int]
    /// Whether it is never learned from, only judged by.
    public var isTest: Bool
    /// The part of the photo that is learned, in pixels of the unrotated image; nil for all of it.
    package var crop: BoundingBox?

    /// Makes a photo.
    public init(path: String, name: String, labels: [Int], isTest: Bool = false) {
      self.path = path
      self.name = name
      self.labels = labels
      self.isTest = isTest
    }
  }

  /// What AutoML calls the class of photos that show none of the others.
  public static let otherName = ObjectCrop.noneOfTheAbove

  /// The names of the classes, by their Unicode scalars; the one for none of the others is last.
  public internal(set) var classes: [String]
  /// The photos, by their names.
  public internal(set) var photos: [Photo]
  /// The class of photos that show none of the others; nil where there is none.
  public internal(set) var otherClass: Int?

  /// The folder or file that it was read from.
  public let source: String
  /// What was passed over, as sentences without the final stop.
  var readingNotes: [String] = []
  /// How many files of the folder are no images, with the first of them, as a sentence without the final stop.
  var passedOver: String?

  /// Whether a photo has several labels.
  public var isMultiLabel: Bool { photos.contains { $0.labels.count > 1 } }

  /// How many photos that are learned from each class has.
  public var counts: [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for photo in photos where !photo.isTest { for label in photo.labels { counts[label] += 1 } }
    return counts
  }

  /// Takes crops of photos, in the order in which they are given.
  init(classes: [String], otherClass: Int?, crops: [Photo], source: String) {
    self.classes = classes
    self.otherClass = otherClass
    photos = crops
    self.source = source
  }

  /// The largest number of classes.
  static let maximumClassCount = 10_000

  /// Puts named photos into classes.
  /// - Parameters:
  ///   - items: Photos with the names of their classes.
  ///   - others: Photos of none of them.
  ///   - source: The folder or file, for errors.
  /// - Throws: `invalidSet` for names that cannot be labels.
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
