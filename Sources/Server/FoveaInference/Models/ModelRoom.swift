// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore

/// The memory limit for models, and the choice of models to evict.
///
/// The least recently used are evicted first, except pinned and recently used models: otherwise models that
/// are requested in turn would be reloaded again and again.
struct ModelRoom: Sendable {
  /// The memory limit for all models, in bytes.
  let limit: Int
  /// The time for which a model is kept after a request.
  let protection: Duration

  /// A model in memory.
  struct Held {
    let name: String
    let bytes: Int
    let lastUse: ContinuousClock.Instant?
    let isPinned: Bool
  }

  /// Returns the names of the models to evict for a new one.
  /// - Parameters:
  ///   - facts: The new model.
  ///   - held: The other models in memory.
  ///   - coming: The memory of other models being loaded, in bytes.
  ///   - evicts: Whether models may be evicted.
  ///   - now: The time.
  /// - Returns: As few as needed; empty if there is enough memory.
  /// - Throws: `models-full` if evicting all evictable models does not free enough.
  func evictions(
    for facts: ServedModelFacts, among held: [Held], coming: Int, evicts: Bool = true,
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

  private func full(_ facts: ServedModelFacts, _ held: [Held]) -> FoveaError {
    let needed = ModelRoom.size(facts.memory)
    guard facts.memory <= limit else {
      return FoveaError(
        .modelsFull,
        "The model '\(facts.name)' needs about \(needed), the limit for models is \(ModelRoom.size(limit))",
        remedy: "Raise \(flag: "model-memory"), or configure fewer sessions for it")
    }
    let taken = ModelRoom.size(held.reduce(0) { $0 + $1.bytes })
    return FoveaError(
      .modelsFull,
      "There is no memory for the model '\(facts.name)' of about \(needed): models in use take \(taken) "
        + "of \(ModelRoom.size(limit))",
      remedy: "Retry later, or raise \(flag: "model-memory")")
  }

  private static func size(_ bytes: Int) -> String {
    DecimalText.fixed(Double(bytes) / 1_048_576, places: bytes < 10 << 20 ? 1 : 0) + " MiB"
  }
}
#endif
