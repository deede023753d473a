// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry

/// The crops of images that are embedded, including the training crops.
///
/// Training uses the objects, the detector's boxes around them, and its other boxes as counterexamples.
struct ObjectCrops: Sendable {
  /// The crops, image by image; those not used for training have no label.
  private(set) var photos: [TrainingSet.Photo] = []
  /// The rows of `photos` used for training or, of test images, for evaluation.
  private(set) var learned: [Int] = []
  /// The rows of the boxes of each image.
  private(set) var boxRows: [[Int]] = []
  private let classes: [String]
  private let otherClass: Int?
  private let source: String

  /// The maximum number of crops per class.
  static let mostOfClass = 400

  private struct Place: Hashable {
    var image: Int
    /// The index of an object, or of a box; boxes are counted after the objects.
    var index: Int
  }

  init(_ images: [BoxedImage], of set: ObjectSet, seed: UInt64) {
    var chosen: [Place: Int] = [:]
    let learned = ObjectCrops.sample(images, isTest: false, set.classes.count, seed)
    let others = learned[set.classes.count]
    let hasOthers = Set(others.map(\.image)).count >= 2
    otherClass = hasOthers ? set.classes.count : nil
    classes = set.classes + (hasOthers ? [TrainingSet.otherName] : [])
    source = set.source
    let tested = ObjectCrops.sample(images, isTest: true, set.classes.count, seed)
    for sample in [learned, tested] {
      for (label, places) in sample.enumerated() where label < classes.count {
        for place in places { chosen[place] = label }
      }
    }
    for (number, image) in images.enumerated() { add(image, number, chosen) }
  }

  /// The training crops as a set of photos.
  var set: TrainingSet {
    TrainingSet(classes: classes, otherClass: otherClass, crops: learned.map { photos[$0] }, source: source)
  }

  private mutating func add(_ image: BoxedImage, _ number: Int, _ chosen: [Place: Int]) {
    let name = image.image.name
    for (index, object) in image.objects.enumerated() {
      guard let label = chosen[Place(image: number, index: index)] else { continue }
      append(image, object.box, name: "\(name)#\(object.id)", label: label)
    }
    var rows: [Int] = []
    for (index, box) in image.boxes.enumerated() {
      rows.append(photos.count)
      append(
        image, box.box, name: "\(name)@\(index + 1)",
        label: chosen[Place(image: number, index: image.objects.count + index)])
    }
    boxRows.append(rows)
  }

  private mutating func append(_ image: BoxedImage, _ box: BoundingBox, name: String, label: Int?) {
    if label != nil { learned.append(photos.count) }
    var photo = TrainingSet.Photo(
      path: image.image.path, name: name, labels: label.map { [$0] } ?? [], isTest: image.isTest)
    photo.crop = ObjectCrop.region(of: box, in: image.size)
    photos.append(photo)
  }

  /// Returns the places of each class, followed by those of no class.
  private static func sample(
    _ images: [BoxedImage], isTest: Bool, _ classCount: Int, _ seed: UInt64
  ) -> [[Place]] {
    var places = [[Place]](repeating: [], count: classCount + 1)
    for (number, image) in images.enumerated() where image.isTest == isTest {
      for (index, object) in image.objects.enumerated() {
        places[object.label].append(Place(image: number, index: index))
      }
      for (index, box) in image.boxes.enumerated() {
        let place = Place(image: number, index: image.objects.count + index)
        if let label = image.label(of: box) { places[label].append(place) }
        if box.content == .nothing { places[classCount].append(place) }
      }
    }
    var largest = 0
    for label in 0..<classCount {
      places[label] = drawn(places[label], mostOfClass, seed, label)
      largest = max(largest, places[label].count)
    }
    places[classCount] = drawn(places[classCount], largest, seed, classCount)
    return places
  }

  /// Returns a random sample of the places, the same in every run.
  private static func drawn(_ places: [Place], _ count: Int, _ seed: UInt64, _ label: Int) -> [Place] {
    guard places.count > count else { return places }
    var places = places
    var random = SplitMix64(seed: seed &+ UInt64(label) &* 0x9E37_79B9_7F4A_7C15)
    random.shuffle(&places)
    return Array(places.prefix(count))
  }
}
