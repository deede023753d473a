// SPDX-License-Identifier: Apache-2.0

/// Which of the embedded photos are learned from, and which are only judged.
struct TrainingRows {
  /// Photos that are learned from.
  let learned: [Int]
  /// Test photos that are none of these, nor copies of them.
  let test: [Int]
  /// Test photos that are, each with a photo that is learned from.
  let known: [(test: Int, learned: Int)]
  /// The embeddings of `learned`.
  let features: FeatureMatrix
  /// Rows of `learned` of one number are probably the same photo.
  let groups: [Int]
  /// Rows of `learned` of one number are the same file.
  let files: [Int]

  /// Sorts photos; test photos are compared with the others by their bytes and their difference hashes.
  init(_ embedded: EmbeddedPhotos) throws(LearningProblem) {
    let rows = embedded.photos.indices
    let learned = rows.filter { !embedded.photos[$0].isTest }
    let asked = rows.filter { embedded.photos[$0].isTest }
    let numbers = TrainingRows.numbers(of: embedded.digests)
    // Small crops look alike, and what shows something of the same photo is known by its file.
    let all = embedded.areCrops ? numbers : try NearDuplicates(hashes: embedded.hashes, known: numbers).groups
    let seen = Dictionary(learned.map { (all[$0], $0) }, uniquingKeysWith: { first, _ in first })
    self.learned = learned
    test = asked.filter { seen[all[$0]] == nil }
    known = asked.compactMap { row in seen[all[row]].map { (row, $0) } }
    features = try embedded.features(learned)
    files = TrainingRows.numbers(of: learned.map { embedded.digests[$0] })
    groups =
      embedded.areCrops
      ? files
      : try NearDuplicates(
        hashes: learned.map { embedded.hashes[$0] }, features: features, known: files
      ).groups
  }

  /// A number for each file that is equal for equal bytes.
  private static func numbers(of digests: [PhotoDigest]) -> [Int] {
    var numbers: [PhotoDigest: Int] = [:]
    return digests.map { digest in
      let next = numbers.count
      if let number = numbers[digest] { return number }
      numbers[digest] = next
      return next
    }
  }
}

extension EmbeddedPhotos {
  /// The numbers of some photos, as they are learned from.
  func features(_ rows: [Int]) throws(LearningProblem) -> FeatureMatrix {
    if rows.count == photos.count { return try features() }
    var chosen: [Float] = []
    chosen.reserveCapacity(rows.count * dimension)
    for row in rows { chosen += values[row * dimension..<(row + 1) * dimension] }
    return try FeatureMatrix(columnCount: dimension, values: chosen)
  }
}
