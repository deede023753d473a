// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension FoveaTracker {
  /// Predicts all objects some frames ahead.
  mutating func predict(steps: Int) {
    for index in records.indices {
      let keepsSize = records[index].state != .tracked
      for _ in 0..<min(steps, Self.mostPredictions) {
        records[index].motion.predict(keepsSize: keepsSize, noise: noise)
      }
    }
  }

  /// The largest number of frames to predict; after that an object could be anywhere.
  private static let mostPredictions = 1000

  /// Pairs objects with detections in stages; pairs of one stage are excluded from later ones.
  mutating func associate() {
    workspace.pairBuffered(configuration, limit: configuration.firstLimit) {
      records[$0].state != .tentative
    }
    keepPairs()
    workspace.pairPlain(configuration, limit: configuration.secondLimit) {
      records[$0].state == .tracked && !records[$0].isMatched
    }
    keepPairs()
    workspace.pairBuffered(configuration, limit: configuration.tentativeLimit) {
      records[$0].state == .tentative
    }
    keepPairs()
  }

  private mutating func keepPairs() {
    workspace.keepPairs()
    for row in records.indices where workspace.solver.columnOfRow[row] >= 0 { records[row].isMatched = true }
  }

  /// Shifts all objects by the common movement of most visible ones, if there is one.
  ///
  /// A camera jerk also moves hidden objects, which no detection shows. The shift is applied if enough
  /// objects are paired, and it exceeds a twentieth of their size and three times its own uncertainty.
  mutating func followConsensus() {
    guard configuration.boxConsensus, workspace.highCount >= 4 else { return }
    let tracked = records.count { $0.state == .tracked }
    guard tracked >= 4 else { return }
    workspace.pairBuffered(configuration, limit: Self.consensusLimit) { records[$0].state == .tracked }
    guard let shift = workspace.commonShift(atLeast: max(4, (min(tracked, workspace.highCount) + 1) / 2))
    else { return }
    for index in records.indices {
      records[index].motion.filter.position.x += shift.x
      records[index].motion.filter.position.y += shift.y
    }
    workspace.expect(records, buffer: configuration.buffer)
  }

  /// Larger than the first stage's limit, because the shift is still unknown.
  private static let consensusLimit = 0.95
}
