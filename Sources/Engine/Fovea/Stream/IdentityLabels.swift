// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaTracking

/// What each identity was last seen as.
///
/// A detector changes its mind from frame to frame; the tracker's vote does not. An object shows the labels of the last
/// detection of the class that won the vote.
struct IdentityLabels: Sendable {
  private struct Sight {
    var labels: [Label]
    var score: Float
  }
  private var sights: [Int: Sight] = [:]
  private var limit = IdentityLabels.sweepSize

  /// How many identities it may hold before those that no longer exist are looked for.
  private static let sweepSize = 64

  /// Takes a detection of an identity.
  /// - Returns: The labels to show.
  mutating func see(_ identity: Int, _ labels: [Label], score: Float, votedClass: Int?) -> [Label] {
    let isOfVotedClass = votedClass == nil || labels.first?.index == votedClass
    if !isOfVotedClass, let sight = sights[identity], sight.labels.first?.index == votedClass {
      sights[identity] = Sight(labels: sight.labels, score: score)
      return sight.labels
    }
    sights[identity] = Sight(labels: labels, score: score)
    return labels
  }

  /// The labels and the score of the last detection of an identity.
  func last(_ identity: Int) -> (labels: [Label], score: Float)? {
    sights[identity].map { ($0.labels, $0.score) }
  }

  /// How many identities are remembered.
  var count: Int { sights.count }

  /// Forgets identities that the tracker no longer knows, when there are many.
  mutating func sweep(_ tracks: () -> [Track]) {
    guard sights.count > limit else { return }
    var known: Set<Int> = []
    for track in tracks() { if let identity = track.identity { known.insert(identity) } }
    sights = sights.filter { known.contains($0.key) }
    limit = Self.sweepSize + 2 * sights.count
  }

  /// Forgets everything.
  mutating func removeAll() { self = IdentityLabels() }
}
