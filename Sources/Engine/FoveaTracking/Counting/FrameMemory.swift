// SPDX-License-Identifier: Apache-2.0

/// Values for recently seen identities; an identity that was not seen for some frames, or that the tracker no
/// longer knows, is forgotten.
struct FrameMemory<Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var lastFrame: Int
  }

  /// The number of frames without it that an identity is remembered.
  let frames: Int
  private var entries: [Int: Entry] = [:]
  private var frame = 0

  init(frames: Int) { self.frames = frames }

  /// The number of remembered identities.
  var count: Int { entries.count }

  /// Starts the next frame.
  mutating func beginFrame() { frame += 1 }

  /// Finishes the frame and forgets identities.
  /// - Parameter known: The identities that can still reappear; nil forgets those unseen for too long.
  /// - Returns: The forgotten values, by ascending identity.
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

  /// Returns whether the identity has not been stored in this frame yet.
  func isNewInFrame(_ identity: Int) -> Bool { entries[identity]?.lastFrame != frame }

  /// The value of an identity.
  subscript(identity: Int) -> Value? { entries[identity]?.value }

  /// Returns the identities whose value satisfies a condition, ascending.
  func identities(where condition: (Value) -> Bool) -> [Int] {
    entries.filter { condition($0.value.value) }.keys.sorted()
  }

  /// Stores a value for an identity in this frame.
  mutating func store(_ value: Value, for identity: Int) {
    entries[identity] = Entry(value: value, lastFrame: frame)
  }
}
