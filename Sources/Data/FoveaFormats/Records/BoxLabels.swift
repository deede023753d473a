// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaEvaluation

/// The boxes of a file by frame, and their labels.
struct LabeledFrames: Sendable {
  var frames: TrackFrames
  var labels = BoxLabels()
}

/// The labels of the boxes of a file, in the order in which they were added.
///
/// Trackers compare the numbers of classes, but some formats have only names, or their numbers differ from
/// image to image. So the first label of a box, its class, has the number that its name had first, or another
/// one if that is the number of another name.
struct BoxLabels: Sendable {
  private var labels: [Label] = []
  /// The end of each box's labels in `labels`.
  private var ends: [Int] = []
  private var numbers: [String: Int] = [:]
  private var taken: Set<Int> = []

  /// Adds the labels of a box.
  /// - Returns: Their position; -1 if there are none.
  mutating func add(_ added: [Label]) -> Int {
    guard let first = added.first else { return -1 }
    labels.append(numbered(first))
    labels += added.dropFirst()
    ends.append(labels.count)
    return ends.count - 1
  }

  /// Returns the labels at a position; empty if it is negative.
  subscript(position: Int) -> [Label] {
    guard position >= 0 else { return [] }
    return Array(labels[(position == 0 ? 0 : ends[position - 1])..<ends[position]])
  }

  private mutating func numbered(_ label: Label) -> Label {
    guard let name = label.text else { return label }
    var label = label
    if let number = numbers[name] {
      label.index = number
      return label
    }
    if taken.contains(label.index) {
      label.index = numbers.count
      while taken.contains(label.index) { label.index += 1 }
    }
    numbers[name] = label.index
    taken.insert(label.index)
    return label
  }
}
