// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import Testing

@testable import FoveaInference

@Suite struct ModelRoomTests {
  private static let now = ContinuousClock.now

  /// A model of this many bytes; `idle` is the time since its last call, in seconds, nil for never.
  private static func held(_ name: String, _ bytes: Int, idle: Int?, isPinned: Bool = false)
    -> ModelRoom.Held
  {
    ModelRoom.Held(
      name: name, bytes: bytes, lastUse: idle.map { now - .seconds($0) }, isPinned: isPinned)
  }

  private static func facts(_ memory: Int) -> ServedModelFacts {
    ServedModelFacts(
      name: "new", version: 1, task: .detect, labels: [], keypointSet: nil,
      keypointThreshold: 0.3, family: "", sha256: "", byteCount: 1, inputShape: [], memory: memory)
  }

  /// The evictions for a model of this many bytes, with 100 bytes for all models and 300 s of protection
  /// after a call.
  private static func evictions(
    _ memory: Int, _ held: [ModelRoom.Held], coming: Int = 0, evicts: Bool = true
  ) -> Set<String>? {
    let room = ModelRoom(limit: 100, protection: .seconds(300))
    return try? room.evictions(
      for: facts(memory), among: held, coming: coming, evicts: evicts, now: now)
  }

  @Test func `only as many as needed are unloaded, the least recently used first`() {
    let held = [
      Self.held("a", 20, idle: 400), Self.held("b", 20, idle: 900), Self.held("c", 20, idle: 10),
      Self.held("d", 20, idle: nil),
    ]
    #expect(Self.evictions(0, held) == [])
    #expect(Self.evictions(20, held) == [])
    #expect(Self.evictions(21, held) == ["d"])
    #expect(Self.evictions(41, held) == ["d", "b"])
    #expect(Self.evictions(80, held) == ["d", "b", "a"])
    #expect(Self.evictions(81, held) == nil)
    #expect(Self.evictions(20, held, coming: 1) == ["d"])
    #expect(Self.evictions(21, held, evicts: false) == nil)
    #expect(Self.evictions(100, []) == [])
    #expect(Self.evictions(101, []) == nil)
  }

  @Test func `a pinned or still protected model stays`() {
    #expect(Self.evictions(60, [Self.held("a", 50, idle: 299)]) == nil)
    #expect(Self.evictions(60, [Self.held("a", 50, idle: 300)]) == ["a"])
    #expect(Self.evictions(60, [Self.held("a", 50, idle: nil, isPinned: true)]) == nil)
    #expect(Self.evictions(60, [Self.held("a", 50, idle: -5)]) == nil)
  }

  @Test func `the error names the missing memory`() {
    let room = ModelRoom(limit: 100 << 20, protection: .seconds(1))
    #expect {
      try room.evictions(for: Self.facts(101 << 20), among: [], coming: 0)
    } throws: { error in
      (error as? FoveaError)?.message
        == "The model 'new' needs about 101 MiB, the limit for models is 100 MiB"
    }
    #expect {
      try room.evictions(
        for: Self.facts(3 << 19), among: [Self.held("a", 100 << 20, idle: 0)], coming: 0, now: Self.now)
    } throws: { error in
      (error as? FoveaError)?.message
        == "There is no memory for the model 'new' of about 1.5 MiB: models in use take 100 MiB of 100 MiB"
    }
  }
}
#endif
