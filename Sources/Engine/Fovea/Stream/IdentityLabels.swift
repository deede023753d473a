// SPDX-License-Identifier: Apache-2.0

package import FoveaDecoding
package import FoveaTracking

/// The last labels of each identity.
///
/// A detector's class varies from frame to frame; the tracker's vote does not. An object shows the labels of
/// the last detection of the class that won the vote.
package struct IdentityLabels: Sendable {
  private struct Sight {
    var labels: [Label]
    var score: Float
  }
  private var sights: [Int: Sight] = [:]
  private var limit = IdentityLabels.sweepSize

  /// The number of identities above which those that no longer exist are removed.
  private static let sweepSize = 64

  package init() {}

  /// Records a detection of an identity.
  /// - Returns: The labels to show.
  package mutating func see(_ identity: Int, _ labels: [Label], score: Float, votedClass: Int?) -> [Label] {
    let isOfVotedClass = votedClass == nil || labels.first?.index == votedClass
    if !isOfVotedClass, let sight = sights[identity], sight.labels.first?.index == votedClass {
      sights[identity] = Sight(labels: sight.labels, score: score)
      return sight.labels
    }
    sights[identity] = Sight(labels: labels, score: score)
    return labels
  }

  /// Returns the labels and the score of the last detection of an identity.
  func last(_ identity: Int) -> (labels: [Label], score: Float)? {
    sights[identity].map { ($0.labels, $0.score) }
  }

  /// The number of identities remembered.
  var count: Int { sights.count }

  /// Removes identities that the tracker no longer knows, if there are many.
  package mutating func sweep(_ tracks: () -> [Track]) {
    guard sights.count > limit else { return }
    var known: Set<Int> = []
    for track in tracks() { if let identity = track.identity { known.insert(identity) } }
    sights = sights.filter { known.contains($0.key) }
    limit = Self.sweepSize + 2 * sights.count
  }

  /// Removes all identities.
  mutating func removeAll() { self = IdentityLabels() }
}
