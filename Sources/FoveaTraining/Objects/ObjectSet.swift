// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
internal import FoveaSystem

/// Images with a box and a class for each object: what names are learned from.
///
///     let set = try ObjectSet(instances: "instances.json", images: "photos")
///     print(set.classes, set.objectCount)
public struct ObjectSet: Sendable {
  /// One object of a class.
  package struct Object: Sendable, Hashable {
    /// The number of its annotation.
    package var id: Int
    /// Its class, as an index into `classes`.
    package var label: Int
    /// Where it is, in pixels of the unrotated image; it may reach beyond the image.
    package var box: BoundingBox
  }

  /// An image with its objects.
  package struct Image: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// What reports call it: the path below the folder.
    package var name: String
    package var objects: [Object]
    /// Boxes around many objects, of which none is learned.
    package var crowds: [BoundingBox]
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
}

extension ObjectSet {
  private static let leastImageCount = 2
  private static let shownClasses = 10

  /// Refuses classes that cannot be judged by an image that was not learned from.
  /// - Parameter used: The classes of each image that is learned from.
  /// - Throws: `invalidSet` with the classes and in how many images they are.
  func checkClasses(in used: [Set<Int>]) throws(TrainingError) {
    var counts = [Int](repeating: 0, count: classes.count)
    for label in used.joined() { counts[label] += 1 }
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
      for place in image.objects.indices {
        image.objects[place].label = indices[image.objects[place].label]
      }
      return image
    }
  }
}
