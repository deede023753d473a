// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Synchronization

/// A server's models, by name.
package final class ModelRegistry: Sendable {
  private struct State {
    var places: [ModelPlace]
    /// The memory of models being loaded, by name: two loads at a time must not reserve the same memory.
    var coming: [String: Int] = [:]
  }

  private let state: Mutex<State>
  private let room: ModelRoom
  private let metrics: Metrics

  init(_ places: [ModelPlace], room: ModelRoom, metrics: Metrics) {
    state = Mutex(State(places: places))
    self.room = room
    self.metrics = metrics
  }

  /// All places, in the given order.
  var places: [ModelPlace] { state.withLock { $0.places } }

  /// The models that requests can name now, in order; an evicted one is loaded by the next request.
  package var models: [ServedModelFacts] { places.compactMap(\.facts) }

  /// The entries of the models that could be loaded, in order.
  package var entries: [ModelEntry] { places.filter { $0.stage != .failed }.map(\.entry) }

  /// The versions in memory.
  var loaded: [ServedModelFacts] { places.compactMap { $0.current?.facts } }

  /// Returns whether an evicted model would fit if no other were in memory.
  func canHold(_ place: ModelPlace) -> Bool { place.facts.map { $0.memory <= room.limit } ?? false }

  /// Adds the places with new names.
  func add(_ new: [ModelPlace]) {
    state.withLock { state in
      for place in new where !state.places.contains(where: { $0.entry.name == place.entry.name }) {
        state.places.append(place)
      }
    }
  }

  /// Removes a place: requests can no longer name it.
  func remove(_ place: ModelPlace) {
    state.withLock { $0.places.removeAll { $0 === place } }
  }

  /// Replaces the original entries with others: all of them, or none.
  ///
  /// New and changed entries, and those whose files have changed or disappeared, are loaded before any of
  /// them is used. Until then the models to be replaced are in memory too and do not count, so a change of
  /// every model takes up to twice the limit. A model that does not fit is loaded when a request names it, as
  /// at startup. Models from a folder are kept.
  /// - Parameters:
  ///   - before: The previous entries.
  ///   - after: The new entries.
  ///   - make: Creates the place of an entry.
  ///   - check: Checks the resulting models.
  /// - Throws: The error of an entry that cannot be loaded, and the errors of `check`; nothing has changed
  ///   then.
  func replace(
    _ before: [ModelEntry], with after: [ModelEntry], _ make: (ModelEntry) -> ModelPlace,
    check: (ModelRegistry) async throws(FoveaError) -> Void
  ) async throws(FoveaError) {
    let changed = Set(places.filter(\.hasOtherFiles).map(\.entry.name))
    let new = after.filter { !before.contains($0) || changed.contains($0.name) }.map { make($0) }
    let leaving = Set(before.map(\.name)).subtracting(after.map(\.name)).union(new.map(\.entry.name))
    var evicted: Set<String> = []
    defer { for place in new { forget(place) } }
    for place in new {
      do throws(FoveaError) {
        try await place.load { facts throws(FoveaError) in
          let names = leaving.union(evicted)
          let others = try reserve(facts, true) { names.contains($0.entry.name) }
          evicted.formUnion(others.map(\.entry.name))
        }
      } catch {
        guard error.code == .modelsFull, canHold(place), !place.entry.settings.isPinned else { throw error }
      }
    }
    let coming = ModelRegistry.places(places, leaving: leaving, new: new, order: after)
    try await check(ModelRegistry(coming, room: room, metrics: metrics))
    let idle = state.withLock { [evicted] state in
      state.places = ModelRegistry.places(state.places, leaving: leaving, new: new, order: after)
      return state.places.filter { evicted.contains($0.entry.name) }
    }
    evict(idle)
    // The previous models leave many small free blocks.
    Allocator.trim()
  }

  /// Returns the places including the new ones; the first serves requests that do not name a model.
  private static func places(
    _ places: [ModelPlace], leaving: Set<String>, new: [ModelPlace], order: [ModelEntry]
  ) -> [ModelPlace] {
    let all = new + places.filter { !leaving.contains($0.entry.name) }
    let given = order.compactMap { entry in all.first { $0.entry.name == entry.name } }
    let names = Set(given.map(\.entry.name))
    return given + all.filter { !names.contains($0.entry.name) }
  }

  /// Returns the model with a name, for a request; without a name, the first with the task, or the first of
  /// all.
  ///
  /// An evicted model is loaded.
  /// - Parameters:
  ///   - name: The name in the request; nil for the first.
  ///   - task: The task if the request needs a model with it; nil for any.
  ///   - limit: The time to wait until it is loaded.
  /// - Returns: The version that answers.
  /// - Throws: A refusal with the most similar name, or the reason the model does not answer.
  package func model(
    _ name: String?, for task: ServedTask? = nil, within limit: Duration
  ) async throws -> ServedModel {
    let place = try place(name, for: task)
    if let model = place.take() { return model }
    guard place.facts != nil else { throw ModelRegistry.refusal(of: place) }
    let loaded = loadForOthers(place)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for try await _ in loaded {} }
      group.addTask { try await Task.sleep(for: limit) }
      defer { group.cancelAll() }
      do { try await group.next() } catch let error as FoveaError {
        throw error.code == .modelsFull ? error.refusal : ModelRegistry.refusal(of: place)
      }
    }
    guard let model = place.take() else { throw ModelRegistry.refusal(of: place) }
    return model
  }

  /// Loads a model even if the request does not wait for the end, so that the next request finds it loaded.
  /// - Returns: A stream that ends when the model is loaded, or throws its error. Unlike a task's value, it
  ///   can be abandoned.
  private func loadForOthers(_ place: ModelPlace) -> AsyncThrowingStream<Never, any Error> {
    let (loaded, waiter) = AsyncThrowingStream.makeStream(of: Never.self)
    Task {
      do {
        if try await load(place) == .underWay { await place.waitForLoad() }
        waiter.finish()
      } catch { waiter.finish(throwing: error) }
    }
    return loaded
  }

  /// Returns the refusal for a place without a model that answers.
  private static func refusal(of place: ModelPlace) -> Refusal {
    let name = place.entry.name
    switch place.stage {
    case .loading, .evicted, .ready:
      return Refusal(
        .serviceUnavailable, "model-loading", "The model '\(name)' is being loaded",
        remedy: "Retry the request"
      ).retrying(after: 1)
    case .failed:
      return Refusal(
        .internalServerError, "model-failed",
        "The model '\(name)' cannot be loaded: \(place.shownError?.message ?? "")",
        remedy: "Ask the server's operator to replace its file, which reloads it")
    case .absent:
      return Refusal(
        .notFound, "model-unloaded", "The model '\(name)' is not loaded",
        remedy: "Load it with POST /v1/models/\(name):load")
    }
  }

  /// Returns the place with a name; without a name, the first whose model has the task, or the first of all.
  /// - Throws: A refusal with the most similar name.
  func place(_ name: String?, for task: ServedTask? = nil) throws(Refusal) -> ModelPlace {
    let places = places
    guard let name else {
      let fitting = task.flatMap { task in places.first { $0.facts?.task == task } }
      guard let place = fitting ?? places.first else { throw ModelRegistry.unknown("default", near: nil) }
      return place
    }
    if let place = places.first(where: { $0.entry.isCalled(name) }) { return place }
    throw ModelRegistry.unknown(
      name, near: NameDistance.nearest(to: name, among: places.map(\.entry.name)).first)
  }

  // MARK: Loading

  /// Loads a place's current version, and evicts the least recently used models if it needs their memory.
  /// - Parameters:
  ///   - place: The model's place.
  ///   - evicts: Whether other models may be evicted for it.
  /// - Returns: The outcome of the load.
  /// - Throws: The error of loading; `models-full` if there is too little memory.
  @discardableResult
  func load(_ place: ModelPlace, evicts: Bool = true) async throws(FoveaError) -> ModelPlace.Change {
    defer { forget(place) }
    // A model known not to fit need not be loaded to find that out.
    if place.stage == .evicted, let known = place.facts { try admit(known, at: place, evicts) }
    let change = try await place.load { facts throws(FoveaError) in try admit(facts, at: place, evicts) }
    // The previous version leaves many small free blocks.
    Allocator.trim()
    return change
  }

  /// Returns to the previous version of a hosted model.
  /// - Throws: An error if there is none or it cannot be loaded.
  func rollBack(_ place: ModelPlace) async throws(FoveaError) {
    defer { forget(place) }
    try await place.rollBack { facts throws(FoveaError) in try admit(facts, at: place, true) }
  }

  private func admit(_ facts: ServedModelFacts, at place: ModelPlace, _ evicts: Bool) throws(FoveaError) {
    evict(try reserve(facts, evicts) { $0 === place })
  }

  /// Reserves memory for a model until ``forget(_:)``.
  /// - Parameters:
  ///   - facts: The model.
  ///   - evicts: Whether other models may be evicted for it.
  ///   - isLeaving: Returns whether a place is being removed and no longer needs memory.
  /// - Returns: The places to evict for it.
  /// - Throws: `models-full` if there is too little memory.
  private func reserve(
    _ facts: ServedModelFacts, _ evicts: Bool, without isLeaving: (ModelPlace) -> Bool
  ) throws(FoveaError) -> [ModelPlace] {
    try state.withLock { (state) throws(FoveaError) in
      let others = state.places.filter { !isLeaving($0) }
      let held = others.compactMap { other in
        other.current.map { model in
          ModelRoom.Held(
            name: other.entry.name, bytes: model.memory, lastUse: other.lastUse,
            isPinned: other.entry.settings.isPinned)
        }
      }
      let coming = state.coming.filter { $0.key != facts.name }.values.reduce(0, +)
      let names = try room.evictions(for: facts, among: held, coming: coming, evicts: evicts)
      state.coming[facts.name] = facts.memory
      return others.filter { names.contains($0.entry.name) }
    }
  }

  private func evict(_ places: [ModelPlace]) {
    for place in places {
      place.evict()
      metrics.add("fovea_model_evictions_total", ["model", place.entry.name])
    }
  }

  private func forget(_ place: ModelPlace) {
    state.withLock { $0.coming[place.entry.name] = nil }
  }

  private static func unknown(_ name: String, near: String?) -> Refusal {
    let remedy = near.map { "Did you mean '\($0)'? " } ?? ""
    return Refusal(
      .notFound, "model-unknown", "There is no model '\(name.prefix(80))'",
      remedy: remedy + "List them with GET /v1/models")
  }
}
#endif
