// SPDX-License-Identifier: Apache-2.0

/// Something about each identity that was seen not long ago; what was not seen for some frames is forgotten.
struct FrameMemory<Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var lastFrame: Int
  }

  /// For how many frames without it an identity is remembered.
  let frames: Int
  private var entries: [Int: Entry] = [:]
  private var frame = 0

  init(frames: Int) {
    self.frames = frames
  }

  /// How many identities are remembered.
  var count: Int { entries.count }

  /// Begins the next frame.
  mutating func beginFrame() { frame += 1 }

  /// Ends the frame and forgets who has been away for too long.
  /// - Returns: What was forgotten, by rising identity.
  @discardableResult
  mutating func endFrame() -> [Value] {
    let oldest = frame - frames
    guard entries.values.contains(where: { $0.lastFrame < oldest }) else { return [] }
    let gone = entries.filter { $0.value.lastFrame < oldest }.sorted { $0.key < $1.key }
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
