// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension FoveaTracker {
  /// Carries every object on by some frames.
  mutating func predict(steps: Int) {
    for index in records.indices {
      let keepsSize = records[index].state != .tracked
      for _ in 0..<min(steps, Self.mostPredictions) {
        records[index].motion.predict(keepsSize: keepsSize, noise: noise)
      }
    }
  }

  /// The most frames that motion is carried on; beyond them an object is anywhere.
  private static let mostPredictions = 1000

  /// Pairs objects with detections in stages: what one stage pairs takes no part in later ones.
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

  /// Moves all objects by the shift that most of those in sight make at once, where there is one.
  ///
  /// A jerk of the camera moves hidden objects as well, which no detection shows. The shift counts when enough objects
  /// are paired, when it is more than a twentieth of their size, and when it is beyond three times its own uncertainty.
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

  /// Looser than the first stage's, because the shift is not known yet.
  private static let consensusLimit = 0.95
}
