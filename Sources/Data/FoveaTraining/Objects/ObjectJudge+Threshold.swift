// SPDX-License-Identifier: Apache-2.0

extension ObjectJudge {
  /// A box with a name.
  private struct Named {
    let score: Double
    /// The object that it names correctly; nil if there is none.
    let found: Object?
  }

  private struct Object: Hashable {
    let image: Int
    let index: Int
  }

  /// The threshold at which named boxes have the largest F1, the highest if several do; nil if no box is
  /// right.
  ///
  /// An object counts once; boxes that show a part of an object or a crowd do not count.
  var bestThreshold: Double? {
    let all = answered.indices.flatMap(named).sorted { $0.score > $1.score }
    let objects = answered.reduce(0) { $0 + $1.image.objects.count }
    var found: Set<Object> = []
    var best: (threshold: Double, f1: Double)?
    for (index, box) in all.enumerated() {
      if let object = box.found { found.insert(object) }
      // Boxes with equal scores pass a threshold together.
      if index + 1 < all.count, all[index + 1].score == box.score { continue }
      let f1 = 2 * Double(found.count) / Double(index + 1 + objects)
      if f1 > best?.f1 ?? 0 { best = (box.score, f1) }
    }
    return best?.threshold
  }

  private func named(_ image: Int) -> [Named] {
    let each = answered[image]
    return zip(each.image.boxes, each.probabilities).compactMap { box, probabilities in
      guard box.content != .unclear, let (label, score) = named(box, each.image, probabilities) else {
        return nil
      }
      guard case .object(let index) = box.content, each.image.objects[index].label == label else {
        return Named(score: score, found: nil)
      }
      return Named(score: score, found: Object(image: image, index: index))
    }
  }
}
