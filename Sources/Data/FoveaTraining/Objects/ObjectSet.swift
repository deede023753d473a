// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry

/// Images with a box and a class for each object: the training data for names.
///
///     let set = try ObjectSet(instances: "instances.json", images: "photos")
///     print(set.classes, set.objectCount)
public struct ObjectSet: Sendable {
  /// One object of a class.
  package struct Object: Sendable, Hashable {
    /// The number of its annotation or, in a CSV file, of its line.
    package var id: Int
    /// Its class, as an index into `classes`.
    package var label: Int
    /// The box in the unrotated image, in pixels or fractions of its sides; it may reach beyond the image.
    package var box: BoundingBox
  }

  /// An image with its objects.
  package struct Image: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// The name in reports: the path below the folder.
    package var name: String
    package var objects: [Object]
    /// Boxes around many objects or an excluded one; their areas are neither used for training nor evaluated.
    package var crowds: [BoundingBox]
    /// Whether the image is only evaluated, never used for training.
    package var isTest = false
    /// Whether boxes are in fractions of the image's sides rather than in pixels.
    package var isInFractions = false
    /// The positions, from 1, of the detector's boxes that are not used for training.
    package var leftOutBoxes: Set<Int> = []
  }

  /// The classes that have boxes, sorted by Unicode scalars.
  public let classes: [String]
  /// The file of the set.
  package let source: String
  /// The images, sorted by name.
  package let images: [Image]
  /// Notes about the file, as sentences without the final stop.
  package let notes: [String]

  /// The number of images, including those without an object.
  public var imageCount: Int { images.count }
  /// The number of objects, without crowds.
  public var objectCount: Int { images.reduce(0) { $0 + $1.objects.count } }

  init(classes: [String], images: [Image], source: String, notes: [String]) {
    self.classes = classes
    self.images = images
    self.source = source
    self.notes = notes
  }

  /// Returns the note on boxes without an area, which are left out.
  static func note(flatCount: Int) -> String? {
    guard flatCount > 0 else { return nil }
    return flatCount == 1
      ? "1 box has no area and is left out"
      : "\(DecimalText.grouped(flatCount)) boxes have no area and are left out"
  }
}

extension ObjectSet {
  private static let leastImageCount = 2
  private static let shownClasses = 10

  /// Throws if a class has too few images to evaluate it on an image that was not used for training.
  /// - Parameter objects: The objects of each training image.
  /// - Throws: `invalidSet` with the classes and their numbers of images.
  func checkClasses(in objects: [[Object]]) throws(TrainingError) {
    var counts = [Int](repeating: 0, count: classes.count)
    for image in objects { for label in Set(image.map(\.label)) { counts[label] += 1 } }
    let small = counts.indices.filter { counts[$0] < ObjectSet.leastImageCount }
    guard !small.isEmpty else { return }
    var list = small.prefix(ObjectSet.shownClasses).map { "\(classes[$0].printable) \(counts[$0])" }
      .joined(separator: ", ")
    if small.count > ObjectSet.shownClasses { list += " and \(small.count - ObjectSet.shownClasses) more" }
    throw .invalidSet(
      "these classes have boxes in fewer than \(ObjectSet.leastImageCount) images: \(list)",
      source: source,
      remedy: "Add images of them, or remove their annotations; use at least 50 boxes per class")
  }

  /// Returns the images of another set, with the class indices of this set.
  /// - Throws: `invalidSet` for a class that this set does not have, with the nearest name.
  func testImages(_ test: ObjectSet) throws(TrainingError) -> [Image] {
    var indices: [Int] = []
    for name in test.classes { indices.append(try classes.index(ofTest: name, in: test.source)) }
    return test.images.map { image in
      var image = image
      image.isTest = true
      for place in image.objects.indices {
        image.objects[place].label = indices[image.objects[place].label]
      }
      return image
    }
  }
}
