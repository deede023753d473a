// SPDX-License-Identifier: Apache-2.0

/// The embedded photos, divided into training photos and test photos.
struct TrainingRows {
  /// The training photos.
  let learned: [Int]
  /// Test photos that are not training photos or copies of them.
  let test: [Int]
  /// Test photos that are also training photos, or copies of one, each with its training photo.
  let known: [(test: Int, learned: Int)]
  /// The embeddings of `learned`.
  let features: FeatureMatrix
  /// The group of each row of `learned`; rows with the same number are probably the same photo.
  let groups: [Int]
  /// The file of each row of `learned`; rows with the same number are the same file.
  let files: [Int]

  /// Divides photos; test photos are compared with the others by their bytes and difference hashes.
  init(_ embedded: EmbeddedPhotos) throws(LearningProblem) {
    let rows = embedded.photos.indices
    let learned = rows.filter { !embedded.photos[$0].isTest }
    let asked = rows.filter { embedded.photos[$0].isTest }
    let numbers = TrainingRows.numbers(of: embedded.digests)
    // Small crops look alike, and crops of the same photo are recognized by its file.
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

  /// Returns a number for each file, equal for equal bytes.
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
  /// Returns the embeddings of some photos as a feature matrix.
  func features(_ rows: [Int]) throws(LearningProblem) -> FeatureMatrix {
    if rows.count == photos.count { return try features() }
    var chosen: [Float] = []
    chosen.reserveCapacity(rows.count * dimension)
    for row in rows { chosen += values[row * dimension..<(row + 1) * dimension] }
    return try FeatureMatrix(columnCount: dimension, values: chosen)
  }
}
