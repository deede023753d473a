// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LearningCurve {
  /// One head of a curve: the held-out part, and the sample that the head is trained on.
  struct Piece: Sendable {
    /// The divisor of the number of photos: one photo in `share` is in the sample.
    let share: Int
    let draw: Int
    let part: Int

    struct Outcome: Sendable {
      let learned: Int
      let asked: Int
      let wrong: Int
    }

    /// Trains and evaluates the head; nil if all sampled photos are copies of a photo that is in two classes.
    func run(
      _ parts: FoldParts, labels: [Int], strength: Double, seed: UInt64
    ) throws(LearningProblem) -> Outcome? {
      let drawn = share == 1 ? nil : drawn(from: parts.learned[part], labels: labels, seed: seed)
      let answer: FoldParts.Answer
      do throws(LearningProblem) { answer = try parts.answer(part, drawn: drawn, strength: strength) } catch {
        guard error == .constant, drawn != nil else { throw error }
        return nil
      }
      let left = parts.left[part]
      let wrong = zip(left, answer.scores).count { row, scores in
        scores.indices.max { scores[$0] < scores[$1] } != labels[row]
      }
      return Outcome(learned: drawn?.count ?? parts.learned[part].count, asked: left.count, wrong: wrong)
    }

    /// Returns the sampled rows: the share of each class, rounded up, in the order of the photos.
    private func drawn(from rows: [Int], labels: [Int], seed: UInt64) -> [Int] {
      var classes: [Int: [Int]] = [:]
      for row in rows { classes[labels[row], default: []].append(row) }
      var drawn: [Int] = []
      for label in classes.keys.sorted() {
        var members = classes[label] ?? []
        // A unique number for each class, part, share and sample.
        let place = ((label * 1024 + part) * 16 + share) * LearningCurve.draws + draw
        var random = SplitMix64(seed: seed &+ UInt64(place + 1) &* 0xD134_2543_DE82_EF95)
        random.shuffle(&members)
        drawn += members.prefix((members.count + share - 1) / share)
      }
      return drawn.sorted()
    }
  }
}
