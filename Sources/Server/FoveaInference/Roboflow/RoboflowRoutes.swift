// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaDecoding
import FoveaCore
import HTTPTypes
import Hummingbird

/// The routes of Roboflow's `inference`, which its SDK uses with a self-hosted server.
///
/// The operator chooses the models: a model that a caller adds must already be served, and none is removed.
struct RoboflowRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }
  /// The keys, which these clients send in the body; nil if anyone may connect.
  let access: AccessGuard?
  /// The server's routes, for paths that only resemble a model's.
  let routes: RouteTable

  func add(to router: Router<HTTPContext>) {
    router.get("info") { _, _ in
      Response.json { json in
        json.member("name", "fovea")
        json.member("version", "1")
        json.member("uuid", "fovea")
      }
    }
    router.get("model/registry") { _, _ in models() }
    for path in ["model/add", "model/remove"] {
      router.post(RouterPath(path)) { try await change($0, $1) }
    }
    // The SDK sends it without a body.
    router.post("model/clear") { try await change($0, $1, needsBody: false) }
    router.post("infer/object_detection") { try await infer($0, $1, .detect) }
    router.post("infer/instance_segmentation") { try await infer($0, $1, .detect) }
    router.post("infer/classification") { try await infer($0, $1, .label) }
    router.post("{project}/{version}") { try await inferByPath($0, $1) }
  }

  /// Returns the list of models, with the id in a request.
  private func models(with id: String? = nil) -> Response {
    Response.json { json in
      json.objects("models", registry.roboflowIDs(with: id)) { json, model in
        json.member("model_id", model.id)
        json.member("task_type", model.task == .detect ? "object-detection" : "classification")
        json.member("batch_size", 1)
        // Given a size, the client would shrink each image to it, and boxes would lose precision.
        json.key("input_height")
        json.null()
        json.key("input_width")
        json.null()
      }
    }
  }

  private func change(
    _ request: Request, _ context: HTTPContext, needsBody: Bool = true
  ) async throws -> Response {
    let query = BodyQuery(options: ["model_id"], unused: RoboflowSelection.unused)
    return try await reader.withBody(request, context, query: query, mayBeEmpty: !needsBody) { body in
      try RoboflowRequest(body.isEmpty ? Array("{}".utf8) : body, needsImage: false)
    } _: { asked in
      _ = try context.identified(by: asked.key, request, access)
      if let id = asked.model {
        _ = try await registry.model(try registry.name(ofRoboflow: id), within: caller.deadline)
      }
      return models(with: asked.model)
    }
  }

  private func infer(
    _ request: Request, _ context: HTTPContext, _ task: ServedTask
  ) async throws -> Response {
    let start = ContinuousClock.now
    return try await reader.withBody(request, context, query: RoboflowRequest.query) { body in
      try RoboflowRequest(body, needsImage: true)
    } _: { asked in
      let context = try context.identified(by: asked.key, request, access)
      try reader.check(count: asked.images.count)
      var options = asked.selection.options
      options.model = try asked.model.map { (id) throws(Refusal) in try registry.name(ofRoboflow: id) }
      let answer = try await caller.answer(
        asked.images, options, task: task, client: context.client, context: context,
        wanted: { asked.selection.names(among: $0) ?? [] })
      try answer.check()
      let pieces = try await pieces(answer, of: asked.images, asked.selection, context)
      return RoboflowRoutes.response(pieces, isList: asked.isList, (ContinuousClock.now - start).seconds)
    }
  }

  /// The first segments of all other routes, below which the router finds no model.
  private static let taken = Set(
    APIRoute.all.compactMap { $0.path.split(separator: "/").first.map(String.init) }.filter {
      !$0.hasPrefix("{")
    })

  /// Returns whether the router finds a model with a name of two parts at `/PROJECT/VERSION`.
  static func finds(_ name: String) -> Bool { !taken.contains(String(name.prefix { $0 != "/" })) }

  /// Returns whether a path is meant as `/PROJECT/VERSION`, so that its errors are Roboflow's even if it has
  /// no route: the first segment is not that of another protocol.
  static func isModelPath(_ path: some StringProtocol) -> Bool {
    let segments = path.split(separator: "/")
    return segments.count == 2 && !["assets", "infer", "model", "v1", "v2"].contains(segments[0])
  }

  /// Answers at the address that Roboflow's documentation, devices and older clients use.
  private func inferByPath(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let start = ContinuousClock.now
    guard RoboflowRoutes.isModelPath(request.uri.path) else {
      throw routes.refusal(request.method, request.uri.path)
    }
    let id = ["project", "version"].map {
      context.parameters.get($0).map { PercentText.decode($0) ?? $0 } ?? ""
    }
    let name = try registry.name(ofRoboflow: id.joined(separator: "/"))
    return try await reader.withBody(request, context, query: nil, as: { try RoboflowQuery(request, $0) }) {
      asked in
      var options = asked.selection.options
      options.model = name
      let answer = try await caller.answer(
        [asked.image], options, task: nil, client: context.client, context: context,
        wanted: { asked.selection.names(among: $0) ?? [] })
      try answer.check()
      let pieces = try await pieces(answer, of: [asked.image], asked.selection, context)
      if asked.format == .image, let file = pieces.first?.annotated {
        return Response(
          status: .ok, headers: [.contentType: file.type],
          body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
      }
      return RoboflowRoutes.response(pieces, isList: false, (ContinuousClock.now - start).seconds)
    }
  }

  /// Returns the requested part of an answer, with images drawn if requested.
  private func pieces(
    _ answer: InferenceCaller.Answer, of images: [ReceivedImage], _ selection: RoboflowSelection,
    _ context: HTTPContext
  ) async throws -> [InferenceCaller.Piece] {
    var pieces = answer.pieces
    let labels = Set(answer.model.labels)
    for index in pieces.indices {
      guard let found = pieces[index].findings else { continue }
      let findings = selection.chosen(found, among: labels)
      pieces[index].result = .success(.findings(findings))
      guard selection.isDrawn else { continue }
      guard case .objects = findings.content else {
        throw Refusal(
          .badRequest, "option-invalid",
          "Only a detector's boxes can be drawn; '\(answer.model.name)' is a classifier",
          remedy: "Request only JSON")
      }
      pieces[index].annotated = try await caller.drawn(images[index], with: findings, as: .jpeg, context)
    }
    return pieces
  }

  private static func response(
    _ pieces: [InferenceCaller.Piece], isList: Bool, _ seconds: Double
  ) -> Response {
    let append = { (json: inout JSONText, piece: InferenceCaller.Piece) in
      json.object { RoboflowRoutes.append(piece, seconds, to: &$0) }
    }
    return Response.jsonValue { json in
      if isList { json.array(pieces, append) } else { pieces.prefix(1).forEach { append(&json, $0) } }
    }
  }

  private static func append(_ piece: InferenceCaller.Piece, _ seconds: Double, to json: inout JSONText) {
    guard let findings = piece.findings else { return }
    if let file = piece.annotated { json.member("visualization", Base64.encode(file.bytes)) }
    json.member("time", seconds, places: 6)
    json.member("image") { json in
      json.member("width", findings.size.width)
      json.member("height", findings.size.height)
    }
    switch findings.content {
    case .objects(let objects):
      json.member("predictions", Array(objects.enumerated())) { json, item in
        json.object { RoboflowRoutes.append(item.element, number: item.offset, to: &$0) }
      }
    case .labels(let labels):
      json.objects("predictions", labels) { json, label in
        json.member("class", label.text ?? "")
        json.member("class_id", label.index)
        json.member("confidence", Double(label.confidence), places: 6)
      }
      json.member("top", labels.first?.text ?? "")
      json.member("confidence", Double(labels.first?.confidence ?? 0), places: 6)
    // Segmenters are refused before they run.
    case .map: break
    }
  }

  /// Appends a box with its centre, as in Roboflow's API, and the largest outline of its mask.
  private static func append(_ object: DetectedObject, number: Int, to json: inout JSONText) {
    json.member("x", (object.box.minX + object.box.maxX) / 2, places: 3)
    json.member("y", (object.box.minY + object.box.maxY) / 2, places: 3)
    json.member("width", object.box.maxX - object.box.minX, places: 3)
    json.member("height", object.box.maxY - object.box.minY, places: 3)
    json.member("confidence", Double(object.score), places: 6)
    json.member("class", object.className)
    json.member("class_id", object.labels.first?.index ?? -1)
    json.member("detection_id", String(number))
    guard let outline = object.mask?.largestOutline else { return }
    json.objects("points", outline) { json, point in
      json.member("x", point.x, places: 3)
      json.member("y", point.y, places: 3)
    }
  }
}

extension ClientProtocol {
  /// Roboflow's `inference`, whose clients send their key in the JSON.
  package static let roboflow = ClientProtocol(
    name: "roboflow", title: "Roboflow",
    errors: ErrorShape { refusal, json in json.member("message", refusal.sentences) },
    owns: { path in
      if ["/infer/", "/model/"].contains(where: path.hasPrefix) { return true }
      return path == "/info" || RoboflowRoutes.isModelPath(path)
    },
    posts: { path in
      if path.hasPrefix("/model/") { return .key }
      return path.hasPrefix("/infer/") ? [.images, .key] : .images
    },
    checkQuery: { request throws(Refusal) in
      try BodyQuery(unused: RoboflowSelection.unused).check(request)
    },
    routes: [
      APIRoute("GET", "/info", "The server"),
      APIRoute("GET", "/model/registry", "The models"),
      APIRoute("POST", "/model/add", "The models, if the named one is served", .json),
      APIRoute("POST", "/model/remove", "The models; nothing changes", .json),
      APIRoute("POST", "/model/clear", "The models; nothing changes", .json),
      APIRoute("POST", "/infer/object_detection", "Objects in images in base64", .json),
      APIRoute("POST", "/infer/instance_segmentation", "The same, with outlines of masks", .json),
      APIRoute("POST", "/infer/classification", "Labels of images in base64", .json),
      APIRoute(
        "POST", "/{project}/{version}", "Objects or labels of an image, sent as bytes, base64 or a form file",
        .text("application/octet-stream")),
    ]
  ) { service, router in
    RoboflowRoutes(
      caller: service.caller, reader: service.reader, access: service.access, routes: service.routes
    ).add(to: router)
  }
}
#endif
