// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Synchronization

/// The models of a server, by name.
package final class ModelRegistry: Sendable {
  private struct State {
    var places: [ModelPlace]
    /// What models take that are being loaded, by name: two at a time must not have the same room.
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

  /// All places, in the order in which they were given.
  var places: [ModelPlace] { state.withLock { $0.places } }

  /// The models that calls can name now, in that order; one that was evicted is loaded by the next call.
  package var models: [ModelFacts] { places.compactMap(\.facts) }

  /// The versions that are in memory.
  var loaded: [ModelFacts] { places.compactMap { $0.current?.facts } }

  /// Whether a model that was evicted fits in where no other is in memory.
  func canHold(_ place: ModelPlace) -> Bool { place.facts.map { $0.memory <= room.limit } ?? false }

  /// Adds places whose names are new.
  func add(_ new: [ModelPlace]) {
    state.withLock { state in
      for place in new where !state.places.contains(where: { $0.entry.name == place.entry.name }) {
        state.places.append(place)
      }
    }
  }

  /// Gives a place up: no call can name it any more.
  func remove(_ place: ModelPlace) {
    state.withLock { $0.places.removeAll { $0 === place } }
  }

  /// Takes other entries in place of those that it was made with: all of them, or none.
  ///
  /// New and changed entries, and those whose files have changed or gone, are loaded before one takes its place. Until then
  /// those that leave are in memory too and do not count, so that a change of every model takes up to twice the limit. One that
  /// finds no room is loaded when a call names it, as at the start. What came from a folder stays.
  /// - Parameters:
  ///   - before: The entries until now.
  ///   - after: The entries from now on.
  ///   - make: The place of an entry.
  ///   - check: Checks the models as they will be.
  /// - Throws: Why an entry cannot be loaded, and what `check` throws; then nothing has changed.
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
    // What the models before have left is in many small pieces.
    Allocator.trim()
  }

  /// The places with new ones among them; the first answers calls that name none.
  private static func places(
    _ places: [ModelPlace], leaving: Set<String>, new: [ModelPlace], order: [ModelEntry]
  ) -> [ModelPlace] {
    let all = new + places.filter { !leaving.contains($0.entry.name) }
    let given = order.compactMap { entry in all.first { $0.entry.name == entry.name } }
    let names = Set(given.map(\.entry.name))
    return given + all.filter { !names.contains($0.entry.name) }
  }

  /// The model of that name, for a call; where none is given the first of the task, or of all.
  ///
  /// One that was evicted is loaded.
  /// - Parameters:
  ///   - name: What the call names; nil for the first.
  ///   - task: "detect" or "label", where the call needs a model for one; nil for the first of all.
  ///   - limit: How long to wait until it is loaded.
  /// - Returns: The version that answers.
  /// - Throws: A refusal that names the nearest, or says why the model does not answer.
  package func model(
    _ name: String?, for task: String? = nil, within limit: Duration
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

  /// Loads a model, also where the call that needs it does not wait so long: the next one finds the model there.
  /// - Returns: What ends when the model is loaded, or throws why it cannot be. Unlike the value of a task, it can be left.
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

  /// Why a place has no model that answers.
  private static func refusal(of place: ModelPlace) -> Refusal {
    let name = place.entry.name
    switch place.stage {
    case .loading, .evicted, .ready:
      return Refusal(
        .serviceUnavailable, "model-loading", "The model '\(name)' is being loaded", remedy: "Ask again"
      ).retrying(after: 1)
    case .failed:
      return Refusal(
        .internalServerError, "model-failed",
        "The model '\(name)' cannot be loaded: \(place.shownError?.message ?? "")",
        remedy: "Ask the server's operator: it is loaded when its file has changed")
    case .absent:
      return Refusal(
        .notFound, "model-unloaded", "The model '\(name)' is not loaded",
        remedy: "POST /v1/models/\(name):load loads it")
    }
  }

  /// The place of that name; where none is given the first whose model does the task, else the first of all.
  /// - Throws: A refusal that names the nearest.
  func place(_ name: String?, for task: String? = nil) throws(Refusal) -> ModelPlace {
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

  /// Loads what a place has now, and evicts what has not been used for long where the room is needed.
  /// - Parameters:
  ///   - place: The place of the model.
  ///   - evicts: Whether others may be evicted for it.
  /// - Returns: How the version came in.
  /// - Throws: Why it cannot be loaded; `models-full` where there is no room for it.
  @discardableResult
  func load(_ place: ModelPlace, evicts: Bool = true) async throws(FoveaError) -> ModelPlace.Change {
    defer { forget(place) }
    // What is known to find no room need not be loaded first.
    if place.stage == .evicted, let known = place.facts { try admit(known, at: place, evicts) }
    let change = try await place.load { facts throws(FoveaError) in try admit(facts, at: place, evicts) }
    // What the version before has left is in many small pieces.
    Allocator.trim()
    return change
  }

  /// Goes back to the version of a hosted model that was in use before.
  /// - Throws: Where there is none, or it cannot be loaded.
  func rollBack(_ place: ModelPlace) async throws(FoveaError) {
    defer { forget(place) }
    try await place.rollBack { facts throws(FoveaError) in try admit(facts, at: place, true) }
  }

  private func admit(_ facts: ModelFacts, at place: ModelPlace, _ evicts: Bool) throws(FoveaError) {
    evict(try reserve(facts, evicts) { $0 === place })
  }

  /// Keeps room for a model until ``forget(_:)``.
  /// - Parameters:
  ///   - facts: The model.
  ///   - evicts: Whether others may be evicted for it.
  ///   - isLeaving: Whether a place needs no room any more.
  /// - Returns: Those that have to be evicted for it.
  /// - Throws: `models-full` if there is no room for it.
  private func reserve(
    _ facts: ModelFacts, _ evicts: Bool, without isLeaving: (ModelPlace) -> Bool
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
      remedy: remedy + "GET /v1/models lists them")
  }
}
#endif
