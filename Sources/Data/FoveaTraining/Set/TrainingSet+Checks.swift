// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension TrainingSet {
  private static let leastClassCount = 2
  private static let leastPhotoCount = 2
  private static let fewPhotos = 10
  private static let largestImbalance = 100

  /// Checks the set again after photos are opened.
  /// - Parameter failed: Photos that could not be opened, as the reason for missing ones.
  /// - Throws: As `checkCounts()`.
  func checkCounts(failed: [EmbeddedPhotos.Failed]) throws(TrainingError) {
    do throws(TrainingError) { try checkCounts() } catch {
      guard let first = failed.first else { throw error }
      var error = error
      error.message +=
        "; \(DecimalText.counted(failed.count, "photo", "photos")) could not be opened, such as "
        + "'\(first.photo.name.printable)': \(first.error.message)"
      throw error
    }
  }

  /// Throws if the set cannot be used for training.
  /// - Throws: `invalidSet` with the classes and their numbers of photos.
  func checkCounts() throws(TrainingError) {
    let counts = counts
    guard photos.isEmpty || photos.contains(where: { !$0.isTest }) else {
      throw .invalidSet(
        "all of its photos are test photos (\(DecimalText.grouped(photos.count))), so none is left for"
          + " training",
        source: source,
        remedy: "Mark training photos with TRAIN, or with no set")
    }
    guard classes.count >= TrainingSet.leastClassCount else {
      throw .invalidSet(
        "it has \(DecimalText.counted(classes.count, "class", "classes")) (\(list(counts))) "
          + "instead of at least \(TrainingSet.leastClassCount)",
        source: source)
    }
    let small = counts.indices.filter { counts[$0] < TrainingSet.leastPhotoCount }
    guard small.isEmpty else {
      throw .invalidSet(
        "these classes have fewer than \(TrainingSet.leastPhotoCount) photos: \(list(counts, small))",
        source: source,
        remedy: "Add photos, or remove the class; use at least 10 photos per class; 100 is better")
    }
  }

  /// Notes about the numbers of photos, as sentences without the final stop.
  package var notes: [String] {
    let counts = counts
    var notes = readingNotes + [passedOver].compactMap(\.self)
    // Too few classes or photos are an error, which names them.
    guard classes.count >= TrainingSet.leastClassCount,
      !counts.contains(where: { $0 < TrainingSet.leastPhotoCount })
    else { return notes }
    let few = counts.indices.filter { counts[$0] < TrainingSet.fewPhotos }
    if !few.isEmpty {
      notes.append("few photos: \(list(counts, few)); at least \(TrainingSet.fewPhotos) are recommended")
    }
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    if least > 0, most > TrainingSet.largestImbalance * least {
      notes.append(
        "the largest class has \(most) photos and the smallest \(least): "
          + "predictions will favour the large ones"
      )
    }
    return notes
  }

  private func list(_ counts: [Int], _ indices: [Int]? = nil) -> String {
    let shown = indices ?? Array(counts.indices)
    let text = shown.prefix(10).map { "\(classes[$0].printable) \(counts[$0])" }.joined(separator: ", ")
    return shown.count > 10 ? text + " and \(shown.count - 10) more" : text
  }

  /// Returns the photos of another set as test photos of this one.
  /// - Throws: `invalidSet` for a class that this set does not have, with the nearest name.
  func testPhotos(_ test: TrainingSet) throws(TrainingError) -> [Photo] {
    var indices: [Int] = []
    for name in test.classes { indices.append(try classes.index(ofTest: name, in: test.source)) }
    return test.photos.map { photo in
      var photo = photo
      photo.labels = photo.labels.map { indices[$0] }.sorted()
      photo.isTest = true
      return photo
    }
  }

  /// Returns the set without some of its photos.
  /// - Parameter names: Their names or paths; unknown ones are noted.
  /// - Returns: The set with the same classes.
  package func without(_ names: Set<String>) -> TrainingSet {
    guard !names.isEmpty else { return self }
    var set = self
    var found: Set<String> = []
    set.photos.removeAll { photo in
      let met = [photo.name, photo.path].filter(names.contains)
      found.formUnion(met)
      return !met.isEmpty
    }
    set.readingNotes += LeftOutNames.notes(names.subtracting(found), kind: "photo")
    return set
  }
}

extension [String] {
  /// Returns the index of a test class among the training classes.
  /// - Throws: `invalidSet` for a class that is not among them, with the nearest name.
  func index(ofTest name: String, in source: String) throws(TrainingError) -> Int {
    if let index = firstIndex(of: name) { return index }
    let near = NameDistance.nearest(to: name, among: self)
    throw .invalidSet(
      "the class '\(name.printable)' of the test photos is not one of the \(count) training classes",
      source: source,
      remedy: near.isEmpty
        ? "Leave out the class, or add training photos of it" : "Did you mean '\(near[0].printable)'?")
  }
}

/// Names to exclude from training.
enum LeftOutNames {
  private static let shownCount = 3

  /// Returns a note on names that match nothing, for example typing errors; empty if all are known.
  /// - Parameters:
  ///   - unknown: The names.
  ///   - kind: The kind of the named items: "photo".
  /// - Returns: A sentence without the final stop.
  static func notes(_ unknown: Set<String>, kind: String) -> [String] {
    guard !unknown.isEmpty else { return [] }
    let shown = unknown.sorted(by: ClassNames.precedes).prefix(shownCount).map { "'\($0.printable)'" }
    let more = unknown.count > shownCount ? ", …" : ""
    let names = DecimalText.counted(unknown.count, "name", "names")
    return [
      "\(names) to leave out \(unknown.count == 1 ? "matches" : "match") no \(kind): "
        + shown.joined(separator: ", ") + more
    ]
  }
}
