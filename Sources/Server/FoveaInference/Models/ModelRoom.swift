// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore

/// How much memory models may take, and which go when another needs the room.
///
/// The least recently used go first, but none that is pinned or was used a short time ago: models that calls name by turns
/// would else be loaded over and over.
struct ModelRoom: Sendable {
  /// The most that all models may take, in bytes.
  let limit: Int
  /// How long a model stays after a call.
  let protection: Duration

  /// A model in memory.
  struct Held {
    let name: String
    let bytes: Int
    let lastUse: ContinuousClock.Instant?
    let isPinned: Bool
  }

  /// The names of the models that have to go for a new one.
  /// - Parameters:
  ///   - facts: The new one.
  ///   - held: The others in memory.
  ///   - coming: What others take that are being loaded, in bytes.
  ///   - evicts: Whether any may go.
  ///   - now: The time.
  /// - Returns: As few as make the room; none where there is enough.
  /// - Throws: `models-full` where there is too little also without all that may go.
  func evictions(
    for facts: ModelFacts, among held: [Held], coming: Int, evicts: Bool = true,
    now: ContinuousClock.Instant = .now
  ) throws(FoveaError) -> Set<String> {
    var excess = facts.memory + coming + held.reduce(0) { $0 + $1.bytes } - limit
    guard excess > 0 else { return [] }
    let idle = held.filter { model in
      evicts && !model.isPinned && model.lastUse.map { now - $0 >= protection } ?? true
    }
    var names: Set<String> = []
    for model in idle.sorted(by: { ModelRoom.isOlder($0.lastUse, $1.lastUse) }) where excess > 0 {
      names.insert(model.name)
      excess -= model.bytes
    }
    guard excess <= 0 else { throw full(facts, held) }
    return names
  }

  private static func isOlder(_ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?) -> Bool {
    guard let one, let other else { return one == nil && other != nil }
    return one < other
  }

  private func full(_ facts: ModelFacts, _ held: [Held]) -> FoveaError {
    let needed = ModelRoom.size(facts.memory)
    guard facts.memory <= limit else {
      return FoveaError(
        .modelsFull,
        "The model '\(facts.name)' takes about \(needed), and models may take \(ModelRoom.size(limit))",
        remedy: "Raise \(flag: "model-memory"), or give it fewer sessions")
    }
    let taken = ModelRoom.size(held.reduce(0) { $0 + $1.bytes })
    return FoveaError(
      .modelsFull,
      "There is no room for the model '\(facts.name)' of about \(needed): models that are in use take \(taken) of \(ModelRoom.size(limit))",
      remedy: "Ask again later, or raise \(flag: "model-memory")")
  }

  private static func size(_ bytes: Int) -> String {
    DecimalText.fixed(Double(bytes) / 1_048_576, places: bytes < 10 << 20 ? 1 : 0) + " MiB"
  }
}
#endif
