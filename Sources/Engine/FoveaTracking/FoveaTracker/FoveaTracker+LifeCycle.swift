// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension FoveaTracker {
  /// Forgets objects that no one has seen for too long.
  mutating func forgetOldTracks() {
    if configuration.usesTimestamps {
      // A thousandth of a millisecond more, because sums of seconds are rounded.
      let latest = clock.seconds - configuration.maxAge - 1e-6
      records.removeAll { $0.lastSeconds < latest }
    } else {
      // An object may come back after as many frames without it as the limit says.
      let earliest = clock.frame - configuration.ageLimit - 1
      records.removeAll { $0.lastFrame < earliest }
    }
  }

  /// Takes the detections into their objects, begins new ones, and writes the answers.
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
    // Identities are given in the order of the objects, whatever the order of their detections.
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

  /// Takes a detection into an object.
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

  /// Brings an object that was just seen back, or makes a tentative one sure.
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

  /// What was not seen is lost; what was only tentative is forgotten.
  private mutating func endMissed() {
    records.removeAll { !$0.isMatched && $0.state == .tentative }
    for index in records.indices where !records[index].isMatched { records[index].state = .lost }
  }

  /// Begins an object, unless the detection is the double of one that is there.
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

  /// Undoes the pairs beyond the limit of objects: those in sight before come first, then those of a higher score.
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
