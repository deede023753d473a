// SPDX-License-Identifier: Apache-2.0

/// Embeddings of one length that are searched by the cosine of their angles.
///
/// A search computes the similarity of every row, so that no near row is missed.
package struct EmbeddingIndex: Sendable {
  /// An embedding of the index that is near another.
  package struct Match: Sendable, Hashable {
    /// The number of the embedding, in the order in which they were added.
    package var index: Int
    /// The cosine of the angle between the two: 1 for the same direction, 0 for a right angle, −1 for
    /// opposite directions.
    package var similarity: Float
  }

  /// The reason why an embedding cannot be compared.
  package enum Problem: Error, Hashable {
    /// It has another number of values than the index: this one.
    case length(Int)
    /// The value at this index is infinite or NaN.
    case notFinite(Int)
    /// All its values are zero, so it has no direction.
    case zero
  }

  /// The number of values of an embedding.
  package let dimension: Int
  /// The number of embeddings.
  package private(set) var count = 0
  /// The rows one after another, each of unit length and padded with zeros.
  private var rows: [Float] = []
  private let stride: Int

  private typealias Lanes = SIMD16<Float>
  /// The number of values that one step of the search multiplies.
  private static let step = 2 * Lanes.scalarCount

  /// Creates an index without embeddings.
  package init(dimension: Int) {
    precondition(dimension > 0, "an embedding has at least one value")
    self.dimension = dimension
    stride = (dimension + Self.step - 1) / Self.step * Self.step
  }

  /// Reserves memory for a number of embeddings.
  package mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count * stride) }

  /// Adds an embedding, whose number is the count before.
  /// - Parameter embedding: Its values, as many as `dimension`.
  /// - Throws: `Problem`; the index is then unchanged.
  package mutating func append(_ embedding: [Float]) throws(Problem) {
    rows += try direction(of: embedding)
    count += 1
  }

  /// Returns the most similar embeddings.
  /// - Parameters:
  ///   - embedding: The embedding to compare.
  ///   - limit: The maximum number of matches; nil for all.
  ///   - least: The minimum similarity.
  ///   - excluded: The numbers of embeddings to leave out.
  /// - Returns: The most similar one first; of equal ones, the one added first.
  /// - Throws: `Problem` for an embedding that cannot be compared.
  package func matches(
    of embedding: [Float], limit: Int? = nil, atLeast least: Float = -1, excluding excluded: Set<Int> = []
  ) throws(Problem) -> [Match] {
    let wanted = try direction(of: embedding)
    guard limit ?? 1 > 0, count > 0 else { return [] }
    let limit = min(limit ?? count, count)
    // Sorted only when it is twice as long as needed, so that most rows cost one comparison.
    var found: [Match] = []
    var threshold = least
    var isFull = false
    func trim() {
      found.sort { $0.similarity != $1.similarity ? $0.similarity > $1.similarity : $0.index < $1.index }
      guard found.count >= limit else { return }
      found.removeLast(found.count - limit)
      threshold = max(threshold, found[limit - 1].similarity)
      isFull = true
    }
    forEachSimilarity(to: wanted) { index, similarity in
      guard isFull ? similarity > threshold : similarity >= threshold, !excluded.contains(index) else {
        return
      }
      found.append(Match(index: index, similarity: similarity))
      if found.count >= 2 * limit + 64 { trim() }
    }
    trim()
    return found
  }

  /// Returns the padded vector of unit length with the direction of an embedding.
  private func direction(of embedding: [Float]) throws(Problem) -> [Float] {
    guard embedding.count == dimension else { throw .length(embedding.count) }
    if let index = embedding.firstIndex(where: { !$0.isFinite }) { throw .notFinite(index) }
    let length = embedding.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    guard length > 0 else { throw .zero }
    return embedding.map { Float(Double($0) / length) } + [Float](repeating: 0, count: stride - dimension)
  }

  private func forEachSimilarity(to wanted: [Float], _ body: (Int, Float) -> Void) {
    let lanes = Lanes.scalarCount * MemoryLayout<Float>.stride
    let rowBytes = stride * MemoryLayout<Float>.stride
    unsafe rows.withUnsafeBytes { rows in
      unsafe wanted.withUnsafeBytes { wanted in
        for index in 0..<count {
          let row = index * rowBytes
          var (even, odd) = (Lanes.zero, Lanes.zero)
          for place in Swift.stride(from: 0, to: rowBytes, by: 2 * lanes) {
            even +=
              unsafe rows.loadUnaligned(fromByteOffset: row + place, as: Lanes.self)
              * wanted.loadUnaligned(fromByteOffset: place, as: Lanes.self)
            odd +=
              unsafe rows.loadUnaligned(fromByteOffset: row + place + lanes, as: Lanes.self)
              * wanted.loadUnaligned(fromByteOffset: place + lanes, as: Lanes.self)
          }
          body(index, max(-1, min(1, (even + odd).sum())))
        }
      }
    }
  }
}
