// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// The figures of scikit-learn for random labels; written by Fixtures/make-label-figures.py.
struct LabelFigures: Decodable {
  struct Case: Decodable {
    var photos: Int
    var missing: Int
    var figures: [Double?]
    var classes: [[Double?]]
  }

  var scikitLearn: String
  var cases: [Case]

  static func read() throws -> LabelFigures {
    let path = PackageRoot.path + "/Tests/FoveaEvaluationTests/Fixtures/labels.json"
    return try JSONDecoder().decode(LabelFigures.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
