// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaTraining

@Suite struct LearnedHeadTests {
  @Test(arguments: [2, 5]) func `a mirrored photo is in its original's fold`(folds: Int) throws {
    let labels = (0..<20).map { $0 % 2 }
    let features = try FeatureMatrix(labels.indices.map { [Float($0), 1] })
    var problem = LearnedHead.Problem(
      features: features, targets: .one(labels), classCount: 2, groups: Array(labels.indices),
      files: Array(labels.indices), otherClass: nil)
    try problem.add(mirrored: labels.indices.flatMap { [-Float($0), 1] })
    var options = LabelTrainer.Options()
    options.folds = folds
    let parts = try problem.folds(options).fold
    #expect(parts.count == 40 && Set(parts).count == folds)
    #expect(Array(parts.prefix(20)) == Array(parts.suffix(20)))
  }
}
