// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension FoveaTracker {
  /// Forgets objects that were not seen for too long.
  mutating func forgetOldTracks() {
    if configuration.usesTimestamps {
      // Add a thousandth of a millisecond, because sums of seconds are rounded.
      let latest = clock.seconds - configuration.maxAge - 1e-6
      records.removeAll { $0.lastSeconds < latest }
    } else {
      // An object may reappear after exactly as many frames as the limit.
      let earliest = clock.frame - configuration.ageLimit - 1
      records.removeAll { $0.lastFrame < earliest }
    }
  }

  /// Updates matched objects, starts new ones, and writes the results.
  mutating func finish(_ answers: inout [TrackedDetection]) {
    for rank in workspace.detections.indices {
      answers[workspace.inputIndices[rank]].outcome = .unmatched
    }
    var room = configuration.objectLimit ?? Int.max
    if room < Int.max { dropBeyondLimit() }
    for rank in workspace.detections.indices where workspace.matches[rank] >= 0 {
      let index = workspace.matches[rank]
      correct(index, rank: rank)
      room -= 1
    }
    // Identities are assigned in the order of the objects, independent of the order of their detections.
    for index in records.indices where records[index].isMatched { promote(index) }
    for rank in workspace.detections.indices where workspace.matches[rank] >= 0 {
      Self.answer(&answers[workspace.inputIndices[rank]], records[workspace.matches[rank]])
    }
    endMissed()
    for rank in 0..<workspace.highCount where workspace.matches[rank] < 0 && room > 0 {
      guard workspace.detections[rank].score >= configuration.birthScore else { break }
      guard begin(rank) else { continue }
      room -= 1
      Self.answer(&answers[workspace.inputIndices[rank]], records[records.count - 1])
    }
  }

  /// Updates an object with a detection.
  private mutating func correct(_ index: Int, rank: Int) {
    let detection = workspace.detections[rank]
    records[index].motion.correct(detection.box, noise: noise)
    records[index].hits += 1
    records[index].previousScore = records[index].hits > 2 ? records[index].score : detection.score
    records[index].score = detection.score
    records[index].lastFrame = clock.frame
    records[index].lastSeconds = clock.seconds
    records[index].votes.add(detection.classIndex < 0 ? nil : detection.classIndex, score: detection.score)
  }

  /// Marks a matched object as tracked, or confirms a tentative one.
  private mutating func promote(_ index: Int) {
    if records[index].state == .tentative {
      guard records[index].hits >= configuration.minHits || clock.updates <= configuration.minHits else {
        return
      }
    }
    records[index].state = .tracked
    identify(index)
  }

  private mutating func identify(_ index: Int) {
    guard records[index].identity == nil else { return }
    records[index].identity = nextIdentity
    nextIdentity += 1
  }

  /// Marks unseen objects as lost, and forgets tentative ones.
  private mutating func endMissed() {
    records.removeAll { !$0.isMatched && $0.state == .tentative }
    for index in records.indices where !records[index].isMatched { records[index].state = .lost }
  }

  /// Starts an object, unless the detection is a duplicate of an existing one.
  private mutating func begin(_ rank: Int) -> Bool {
    let detection = workspace.detections[rank]
    for record in records where record.state != .lost {
      if configuration.perClass, (record.votes.winner ?? -1) != detection.classIndex { continue }
      if record.motion.box.iou(with: detection.box) > configuration.duplicateOverlap { return false }
    }
    var record = TrackRecord(
      motion: BoxMotion(detection.box, noise: noise), state: .tentative, firstFrame: clock.frame,
      lastFrame: clock.frame, lastSeconds: clock.seconds, score: detection.score,
      previousScore: detection.score)
    record.votes.add(detection.classIndex < 0 ? nil : detection.classIndex, score: detection.score)
    records.append(record)
    if clock.updates == 1 || configuration.minHits <= 1 {
      records[records.count - 1].state = .tracked
      identify(records.count - 1)
    }
    return true
  }

  private static func answer(_ answer: inout TrackedDetection, _ record: TrackRecord) {
    answer.outcome = record.identity == nil ? .tentative : .tracked
    answer.identity = record.identity
    answer.classIndex = record.votes.winner
    if record.identity != nil { answer.box = record.motion.box }
  }

  /// Removes the pairs beyond the limit of objects: tracked objects come first, then higher scores.
  private mutating func dropBeyondLimit() {
    guard let limit = configuration.objectLimit else { return }
    var kept = 0
    for isSecondRound in [false, true] {
      for rank in workspace.detections.indices where workspace.matches[rank] >= 0 {
        let index = workspace.matches[rank]
        guard (records[index].state != .tracked) == isSecondRound else { continue }
        kept += 1
        if kept > limit {
          workspace.matches[rank] = -1
          records[index].isMatched = false
        }
      }
    }
  }
}
