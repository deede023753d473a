// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// `GET /v1/models` and `/v1/models/{model}`: describe the served models.
///
/// `POST …:load`, `:unload`, `:rollback`: change them.
struct ModelRoutes: Sendable {
  let registry: ModelRegistry
  let reader: ImageReader

  func add(to router: Router<HTTPContext>) {
    router.get("v1/models") { _, _ in
      Response.json { json in
        json.member("models", registry.places) { json, place in
          json.object { ModelRoutes.append(place, to: &$0) }
        }
      }
    }
    router.get("v1/models/{model}") { _, context in
      ModelRoutes.answer(try place(context))
    }
    router.post("v1/models/{model}:load") { request, context in
      try await change(request, context) { place throws(FoveaError) in try await registry.load(place) }
    }
    router.post("v1/models/{model}:rollback") { request, context in
      try await change(request, context) { place throws(FoveaError) in try await registry.rollBack(place) }
    }
    router.post("v1/models/{model}:unload") { request, context in
      try await change(request, context) { $0.unload() }
    }
  }

  private func change(
    _ request: Request, _ context: HTTPContext, _ body: (ModelPlace) async throws(FoveaError) -> Void
  ) async throws -> Response {
    try await reader.withModelRequest(request, context, .change) { _ in
      let place = try place(context)
      do throws(FoveaError) { try await body(place) } catch { throw place.texts.concealed(error) }
      return ModelRoutes.answer(place)
    }
  }

  private func place(_ context: HTTPContext) throws(Refusal) -> ModelPlace {
    try registry.place(context.modelName)
  }

  private static func answer(_ place: ModelPlace) -> Response {
    Response.json { append(place, to: &$0) }
  }

  /// Writes Fovea's members, and TF Serving's `model_version_status`.
  private static func append(_ place: ModelPlace, to json: inout JSONText) {
    let model = place.facts
    json.member("name", place.entry.name)
    json.member("state", place.stage.rawValue)
    json.member("version", model?.version)
    if let error = place.shownError { json.member("lastError", error.refusal) }
    if let model {
      json.member("task", model.task.rawValue)
      json.member("family", model.family)
      json.member("sha256", model.sha256)
      json.member("bytes", model.byteCount)
      json.member("memory", model.memory)
      json.member("input", model.inputShape)
      json.member("labels", model.labels)
      json.member(model.keypointSet, threshold: model.keypointThreshold)
      if let dimension = model.dimension { json.member("dimension", dimension) }
    }
    // As in version 1 of KServe's protocol.
    json.member("ready", [.ready, .evicted].contains(place.stage))
    if !place.entry.aliases.isEmpty { json.member("aliases", place.entry.aliases) }
    appendStatus(of: place, to: &json)
  }

  /// Writes TF Serving's status of a model.
  static func appendStatus(of place: ModelPlace, to json: inout JSONText) {
    json.objects("model_version_status", [place.facts?.version ?? 1]) { json, version in
      json.member("version", String(version))
      json.member("state", status(place.stage))
      json.member("status") { json in
        json.member("error_code", place.stage == .failed ? "UNKNOWN" : "OK")
        json.member("error_message", place.stage == .failed ? place.shownError?.message ?? "" : "")
      }
    }
  }

  /// Returns TF Serving's name for a stage.
  private static func status(_ stage: ModelPlace.Stage) -> String {
    switch stage {
    case .loading: "LOADING"
    case .ready, .evicted: "AVAILABLE"
    case .failed, .absent: "END"
    }
  }
}
#endif
