// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry

/// Images with a box and a class for each object: what names are learned from.
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
    /// Where it is in the unrotated image, in pixels or fractions of its sides; it may reach beyond the image.
    package var box: BoundingBox
  }

  /// An image with its objects.
  package struct Image: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// What reports call it: the path below the folder.
    package var name: String
    package var objects: [Object]
    /// Boxes around many objects, or around one that is left out: what lies there is neither learned nor judged.
    package var crowds: [BoundingBox]
    /// Whether it is never learned from, only judged.
    package var isTest = false
    /// Whether boxes are fractions of the image's sides, and not pixels.
    package var isInFractions = false
    /// The detector's boxes that are not learned, by their place from 1 on.
    package var leftOutBoxes: Set<Int> = []
  }

  /// The classes that have boxes, by their Unicode scalars.
  public let classes: [String]
  /// The file that it was read from.
  public let source: String
  /// The images, by their names.
  package let images: [Image]
  /// What should be known about the file, as sentences without the final stop.
  package let notes: [String]

  /// How many images there are, those without an object included.
  public var imageCount: Int { images.count }
  /// How many objects they have, crowds not counted.
  public var objectCount: Int { images.reduce(0) { $0 + $1.objects.count } }

  init(classes: [String], images: [Image], source: String, notes: [String]) {
    self.classes = classes
    self.images = images
    self.source = source
    self.notes = notes
  }

  /// The note on boxes without an area, which are left out.
  static func note(flatCount: Int) -> String? {
    guard flatCount > 0 else { return nil }
    return flatCount == 1
      ? "1 box has no area, and is left out"
      : "\(DecimalText.grouped(flatCount)) boxes have no area, and are left out"
  }
}

extension ObjectSet {
  private static let leastImageCount = 2
  private static let shownClasses = 10

  /// Refuses classes that cannot be judged by an image that was not learned from.
  /// - Parameter objects: The objects of each image that is learned from.
  /// - Throws: `invalidSet` with the classes and in how many images they are.
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
      remedy: "Add images of them, or take their annotations out; 50 boxes of a class are a beginning")
  }

  /// The images of another set with the classes of this one.
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
