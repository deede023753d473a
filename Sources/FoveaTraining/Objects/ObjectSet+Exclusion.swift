// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem

extension ObjectSet {
  /// The set without some of its images and crops, as `suspects.txt` names them.
  ///
  /// What an annotation that is left out shows is neither learned nor judged, as in a crowd: without its box it would be learned
  /// as none of the classes.
  /// - Parameter names: Names or paths of images; with `#` and the number of an annotation, or `@` and the place of a detector's
  ///   box, that alone.
  /// - Returns: The set with the same classes.
  package func without(_ names: Set<String>) -> ObjectSet {
    guard !names.isEmpty else { return self }
    let kept = images.compactMap { image in
      names.contains(image.name) || names.contains(image.path) ? nil : image.without(names)
    }
    return ObjectSet(classes: classes, images: kept, source: source, notes: notes)
  }
}

extension ObjectSet.Image {
  fileprivate func without(_ names: Set<String>) -> ObjectSet.Image {
    var image = self
    image.objects.removeAll { names.contains("\(name)#\($0.id)") }
    image.crowds += objects.filter { names.contains("\(name)#\($0.id)") }.map(\.box)
    image.leftOutBoxes = Set(
      names.compactMap { each in
        each.hasPrefix(name + "@") ? Int(each.dropFirst(name.count + 1)) : nil
      })
    return image
  }
}
