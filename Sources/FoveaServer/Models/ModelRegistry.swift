// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaErrors
  package import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Synchronization

  /// The models of a server, by name.
  package final class ModelRegistry: Sendable {
    private let all: Mutex<[ModelPlace]>

    init(_ places: [ModelPlace]) { all = Mutex(places) }

    /// All places, in the order in which they were given.
    var places: [ModelPlace] { all.withLock { $0 } }

    /// The models that answer now, in that order.
    package var models: [ServedModel] { places.compactMap(\.current) }

    /// Adds places whose names are new.
    func add(_ new: [ModelPlace]) {
      all.withLock { places in
        for place in new where !places.contains(where: { $0.entry.name == place.entry.name }) {
          places.append(place)
        }
      }
    }

    /// The model of that name; the first place's where none is given.
    /// - Throws: A refusal that names the nearest, or says why the model does not answer.
    package func model(_ name: String?) throws(Refusal) -> ServedModel {
      let place = try place(name)
      if let model = place.current { return model }
      let name = place.entry.name
      switch place.stage {
      case .loading:
        throw Refusal(
          .serviceUnavailable, "model-loading", "The model '\(name)' is being loaded", remedy: "Ask again"
        ).retrying(after: 1)
      case .failed:
        throw Refusal(
          .internalServerError, "model-failed",
          "The model '\(name)' cannot be loaded: \(place.lastError?.message ?? "")",
          remedy: "Fix it; it is loaded when its file changes")
      case .absent, .ready:
        throw Refusal(
          .notFound, "model-unloaded", "The model '\(name)' is not loaded",
          remedy: "POST /v1/models/\(name):load loads it")
      }
    }

    /// The place of that name; the first where none is given.
    /// - Throws: A refusal that names the nearest.
    func place(_ name: String?) throws(Refusal) -> ModelPlace {
      let places = places
      guard let name else {
        guard let place = places.first else { throw ModelRegistry.unknown("default", near: nil) }
        return place
      }
      if let place = places.first(where: { $0.entry.name == name }) { return place }
      throw ModelRegistry.unknown(
        name, near: NameDistance.nearest(to: name, among: places.map(\.entry.name)).first)
    }

    private static func unknown(_ name: String, near: String?) -> Refusal {
      let remedy = near.map { "Did you mean '\($0)'? " } ?? ""
      return Refusal(
        .notFound, "model-unknown", "There is no model '\(name.prefix(80))'",
        remedy: remedy + "GET /v1/models lists them")
    }
  }
#endif
