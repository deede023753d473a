// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension ObjectSet {
  /// Returns the set without some of its images and crops, as `suspects.txt` names them.
  ///
  /// The area of an excluded annotation is neither used for training nor evaluated, as in a crowd; otherwise
  /// it would be learned as a counterexample.
  /// - Parameter names: Names or paths of images; with `#` and the number of an annotation, or `@` and the
  ///   position of a detector's box, only that object is excluded.
  /// - Returns: The set with the same classes.
  package func without(_ names: Set<String>) -> ObjectSet {
    guard !names.isEmpty else { return self }
    var boxes: [Substring: Set<Int>] = [:]
    for name in names {
      guard let mark = name.lastIndex(of: "@"), let place = Int(name[mark...].dropFirst()) else { continue }
      boxes[name[..<mark], default: []].insert(place)
    }
    let known = Set(
      images.flatMap { image in
        [image.name, image.path] + image.objects.map { "\(image.name)#\($0.id)" }
          + (boxes[image.name[...]] ?? []).map { "\(image.name)@\($0)" }
      })
    let unknown = LeftOutNames.notes(names.subtracting(known), kind: "image, annotation or box")
    let kept = images.compactMap { image in
      names.contains(image.name) || names.contains(image.path)
        ? nil : image.without(names, boxes: boxes[image.name[...]] ?? [])
    }
    return ObjectSet(classes: classes, images: kept, source: source, notes: notes + unknown)
  }
}

extension ObjectSet.Image {
  /// Returns the image without the named annotations and without the detector's boxes at some positions.
  fileprivate func without(_ names: Set<String>, boxes: Set<Int>) -> ObjectSet.Image {
    var image = self
    image.objects.removeAll { names.contains("\(name)#\($0.id)") }
    image.crowds += objects.filter { names.contains("\(name)#\($0.id)") }.map(\.box)
    image.leftOutBoxes = boxes
    return image
  }
}
