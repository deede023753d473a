// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// The decisions of scikit-learn 1.9.1 (Tests/Fixtures/learning/decisions.py).
struct Decisions: Decodable, Sendable {
  struct Sigmoids: Decodable, Sendable {
    struct Solution: Decodable, Sendable {
      let strength: Double
      let logLoss: Double
      let probabilities: [[Double]]
    }
    let features: [[Float]]
    let sets: [[Int]]
    let solutions: [Solution]
  }

  struct Temperature: Decodable, Sendable {
    let scores: [[Double]]
    let labels: [Int]
    let temperature: Double
    let logLoss: Double
  }

  struct Curve: Decodable, Sendable {
    let precision: [Double]
    let recall: [Double]
    let thresholds: [Double]
  }

  struct Thresholds: Decodable, Sendable {
    let probabilities: [[Double]]
    let labels: [Int]
    let all: Curve
    let classes: [Curve?]
  }

  let sigmoids: Sigmoids
  let temperatures: [Temperature]
  let thresholds: [Thresholds]

  static func golden() throws -> Decisions {
    let file = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/learning/decisions.json")
    return try JSONDecoder().decode(Decisions.self, from: Data(contentsOf: file))
  }
}
