// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaDecoding
import FoveaCore
import HTTPTypes
import Hummingbird

/// The routes of DeepStack and CodeProject.AI, for their clients: Frigate, Blue Iris, Home Assistant, AITool.
struct DeepStackRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }
  /// The keys, which these clients send in the form; nil if anyone may connect.
  let access: AccessGuard?
  /// The clients' names for labels; nil for the models' own.
  let labels: ClientLabels?

  /// The default minimum confidence, as in DeepStack.
  private static let defaultConfidence: Float = 0.4
  /// Frigate's plugin has an array of 20 rows, and fails if there are more.
  private static let maximumRows = 20

  func add(to router: Router<HTTPContext>) {
    router.post("v1/vision/detection") { try await detect($0, $1) }
    router.post("v1/vision/scene") { try await scene($0, $1) }
    router.post("v1/vision/custom/list") { request, _ in
      try ClientProtocol.deepStack.checkQuery(request)
      return list()
    }
    router.get("v1/vision/custom/list") { _, _ in list() }
    // Newer CodeProject.AI clients have 'server' in the path.
    for path in ["v1/status/ping", "v1/server/status/ping"] {
      router.get(RouterPath(path)) { _, _ in
        Response.json { json in
          json.member("success", true)
          json.member("message", FoveaVersion.current)
        }
      }
    }
    router.get("v1/status/version") { _, _ in
      Response.json { json in
        json.member("success", true)
        json.member("message", FoveaVersion.current)
        json.member("version") { DeepStackRoutes.appendVersion(to: &$0) }
      }
    }
    router.post("v1/vision/custom/{model}") { try await detect($0, $1) }
    router.get("v1/status/updateavailable") { _, _ in
      Response.json { json in
        json.member("success", true)
        json.member("message", "You have the latest")
        json.member("updateAvailable", false)
        // Blue Iris treats a server without these as missing.
        json.member("version") { DeepStackRoutes.appendVersion(to: &$0) }
        json.member("current") { DeepStackRoutes.appendVersion(to: &$0) }
        json.member("latest") { DeepStackRoutes.appendVersion(to: &$0) }
      }
    }
  }

  /// Appends the version in CodeProject.AI's format.
  private static func appendVersion(to json: inout JSONText) {
    let parts = FoveaVersion.current.split(separator: ".").map { Int($0) ?? 0 }
    json.member("major", parts.first ?? 0)
    json.member("minor", parts.dropFirst().first ?? 0)
    json.member("patch", parts.dropFirst(2).first ?? 0)
    json.member("preRelease", "")
    json.member("securityUpdate", false)
    json.member("build", 0)
    json.member("file", "")
    json.member("releaseNotes", "")
  }

  private func list() -> Response {
    Response.json { json in
      json.member("success", true)
      json.member("models", registry.models.filter { $0.task == .detect }.map(\.name))
    }
  }

  /// Returns the label of the whole image from the first classifier.
  private func scene(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try await reader.withImages(request, context) { received in
      let context = try identified(received, request, context)
      guard let model = registry.models.first(where: { $0.task == .label }) else {
        throw Refusal(
          .badRequest, "task-mismatch", "No classifier is served",
          remedy: "Ask the server's operator to serve one, or send the image to /v1/vision/detection")
      }
      var options = CallOptions()
      options.model = model.name
      options.named.selection.threshold = 0
      options.named.maxResults = 1
      _ = try DeepStackRoutes.options(received.options)
      let answer = try await caller.answer(
        try DeepStackRoutes.image(received), options, task: .label, client: context.client, context: context
      )
      let found: Label? =
        if case .labels(let labels) = answer.records.first?.findings?.content { labels.first } else { nil }
      return Response.json { json in
        json.member("success", true)
        json.member("label", found.map { $0.text ?? "class \($0.index)" } ?? "")
        json.member("confidence", Double(found?.confidence ?? 0), places: 6)
      }
    }
  }

  /// Returns the context with the key from the form.
  private func identified(
    _ received: ImageRequest, _ request: Request, _ context: HTTPContext
  ) throws(Refusal) -> HTTPContext {
    let key = received.options.first { $0.name == "api_key" }?.value.text
    return try context.identified(by: key, request, access)
  }

  private func detect(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let start = ContinuousClock.now
    return try await reader.withImages(request, context) { received in
      let context = try identified(received, request, context)
      var options = try DeepStackRoutes.options(received.options)
      options.model = context.modelName
      let answer = try await caller.answer(
        try DeepStackRoutes.image(received), options, task: .detect, client: context.client,
        context: context)
      return response(answer, (ContinuousClock.now - start).milliseconds)
    }
  }

  /// The form fields of these clients.
  private static let fields = ["api_key", NamedOption.maxObjects.name, "min_confidence"]
  /// The fields with a key; the last two are Google's and a DeepStack administrator's.
  static let keyFields: Set<String> = ["api_key", "key", "admin_key"]

  /// Returns the single image of a call, as in DeepStack.
  /// - Throws: A refusal if there are several.
  private static func image(_ received: ImageRequest) throws(Refusal) -> [ReceivedImage] {
    guard received.images.count == 1 else {
      throw Refusal(
        .badRequest, "request-malformed",
        "The form has \(received.images.count) files, one image is expected",
        remedy: "Send each image in its own request")
    }
    return received.images
  }

  /// - Throws: A refusal for an unknown field, which would have no effect, and for one that is given twice.
  private static func options(_ fields: [(name: String, value: OptionValue)]) throws(Refusal) -> CallOptions {
    var options = CallOptions()
    options.upright = true
    options.named.selection.threshold = defaultConfidence
    options.named.selection.maxObjects = maximumRows
    var given: Set<String> = []
    for field in fields {
      // Clients may send their key in the query and in the form.
      guard given.insert(field.name).inserted || keyFields.contains(field.name) else {
        throw CallOptions.givenTwice(field.name)
      }
      switch field.name {
      case "min_confidence": try options.set("threshold", field.value, called: field.name)
      case NamedOption.maxObjects.name: try options.set(field.name, field.value)
      default:
        guard keyFields.contains(field.name) else {
          throw CallOptions.unknown(field.name, among: DeepStackRoutes.fields)
        }
      }
    }
    return options
  }

  private func response(_ answer: InferenceCaller.Answer, _ milliseconds: Double) -> Response {
    let objects = answer.records.first?.findings?.objects ?? []
    // These clients have no name for objects without a label.
    let named = objects.filter { !$0.labels.isEmpty }.compactMap {
      object -> (name: String, object: DetectedObject)? in
      guard let labels else { return (object.className, object) }
      return labels.name(of: object.className).map { ($0, object) }
    }
    let timings = answer.records.first?.findings?.timings
    return Response.json { json in
      json.member("success", true)
      json.member("code", 200)
      json.member("message", named.isEmpty ? "No objects found" : "Found \(named.count)")
      json.member("predictions", named) { json, row in
        DeepStackRoutes.append(row.object, row.name, to: &json)
      }
      json.member("count", named.count)
      json.member("inferenceMs", Int((timings?.detect ?? .zero).milliseconds.rounded()))
      json.member("processMs", Int((timings?.total ?? .zero).milliseconds.rounded()))
      json.member("analysisRoundTripMs", Int(milliseconds.rounded()))
      json.member("moduleId", "Fovea")
      json.member("executionProvider", "CPU")
      json.member("canUseGPU", false)
      json.member("command", "detect")
    }
  }

  private static func append(_ object: DetectedObject, _ name: String, to json: inout JSONText) {
    json.object { json in
      json.member("label", name)
      json.member("confidence", Double(object.score), places: 6)
      json.member("x_min", Int(object.box.minX.rounded()))
      json.member("y_min", Int(object.box.minY.rounded()))
      json.member("x_max", Int(object.box.maxX.rounded()))
      json.member("y_max", Int(object.box.maxY.rounded()))
    }
  }
}

extension ClientProtocol {
  /// DeepStack and CodeProject.AI, whose clients send their key as a form field.
  package static let deepStack = ClientProtocol(
    name: "deepstack", title: "DeepStack",
    errors: ErrorShape { refusal, json in
      json.member("success", false)
      json.member("error", refusal.sentences)
      json.member("code", refusal.status.code)
    },
    owns: { $0.hasPrefix("/v1/vision/") }, posts: { $0.hasSuffix("/list") ? [] : [.images, .key] },
    checkQuery: { request throws(Refusal) in
      try BodyQuery(unused: DeepStackRoutes.keyFields).check(request)
    },
    routes: [
      APIRoute("POST", "/v1/vision/detection", "Objects in an image sent as a form", .images),
      APIRoute("POST", "/v1/vision/custom/{model}", "Objects, found by a given model", .images),
      APIRoute("POST", "/v1/vision/scene", "The label of an image sent as a form", .images),
      APIRoute("POST", "/v1/vision/custom/list", "The models"),
      APIRoute("GET", "/v1/vision/custom/list", "The models"),
      APIRoute("GET", "/v1/status/ping", "Check that the server answers"),
      APIRoute("GET", "/v1/server/status/ping", "Check that the server answers"),
      APIRoute("GET", "/v1/status/version", "The version of the server"),
      APIRoute("GET", "/v1/status/updateavailable", "Report that there is no update, always"),
    ]
  ) { service, router in
    DeepStackRoutes(
      caller: service.caller, reader: service.reader, access: service.access, labels: service.options.labels
    ).add(to: router)
  }
}
#endif
