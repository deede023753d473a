// SPDX-License-Identifier: Apache-2.0

/// Something about each identity that was seen not long ago; what was not seen for some frames, or is not known to the
/// tracker any more, is forgotten.
struct FrameMemory<Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var lastFrame: Int
  }

  /// For how many frames without it an identity is remembered.
  let frames: Int
  private var entries: [Int: Entry] = [:]
  private var frame = 0

  init(frames: Int) { self.frames = frames }

  /// How many identities are remembered.
  var count: Int { entries.count }

  /// Begins the next frame.
  mutating func beginFrame() { frame += 1 }

  /// Ends the frame and forgets who is gone.
  /// - Parameter known: The identities that can still come back; nil forgets who has been away for too long.
  /// - Returns: What was forgotten, by rising identity.
  @discardableResult
  mutating func endFrame(known: Set<Int>?) -> [Value] {
    let oldest = frame - frames
    func isGone(_ identity: Int, _ entry: Entry) -> Bool {
      guard let known else { return entry.lastFrame < oldest }
      return entry.lastFrame < frame && !known.contains(identity)
    }
    guard entries.contains(where: { isGone($0.key, $0.value) }) else { return [] }
    let gone = entries.filter { isGone($0.key, $0.value) }.sorted { $0.key < $1.key }
    for (identity, _) in gone { entries[identity] = nil }
    return gone.map(\.value.value)
  }

  /// Whether the identity was not stored in this frame yet.
  func isNewInFrame(_ identity: Int) -> Bool { entries[identity]?.lastFrame != frame }

  /// What is remembered of an identity.
  subscript(identity: Int) -> Value? { entries[identity]?.value }

  /// The identities whose value is as asked, rising.
  func identities(where condition: (Value) -> Bool) -> [Int] {
    entries.filter { condition($0.value.value) }.keys.sorted()
  }

  /// Remembers something about an identity that is in this frame.
  mutating func store(_ value: Value, for identity: Int) {
    entries[identity] = Entry(value: value, lastFrame: frame)
  }
}
