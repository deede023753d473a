// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaFormats
  internal import FoveaGeometry
  internal import FoveaHTTP
  internal import FoveaLabeling
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// The routes of Roboflow's `inference`, which its SDK asks a server of one's own.
  ///
  /// Models are the operator's: what a caller adds must be there, and nothing is removed for one.
  struct RoboflowRoutes: Sendable {
    let caller: InferenceCaller
    let reader: PictureReader
    let registry: ModelRegistry
    /// Whose keys these clients send in the body; nil where anyone may ask.
    let access: AccessGuard?

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
      // The SDK sends no body with it.
      router.post("model/clear") { try await change($0, $1, needsBody: false) }
      router.post("infer/object_detection") { try await infer($0, $1, .detect) }
      router.post("infer/classification") { try await infer($0, $1, .label) }
    }

    private func models() -> Response {
      Response.json { json in
        json.member("models", registry.models) { json, model in
          json.object { json in
            json.member("model_id", model.name)
            json.member("task_type", model.task == "detect" ? "object-detection" : "classification")
            json.member("batch_size", 1)
            // With a size, the client would shrink each image to it, and boxes would lose their precision.
            json.key("input_height")
            json.null()
            json.key("input_width")
            json.null()
          }
        }
      }
    }

    private func change(
      _ request: Request, _ context: HTTPContext, needsBody: Bool = true
    ) async throws -> Response {
      try await reader.withBody(request, mayBeEmpty: !needsBody) { body in
        let asked = try RoboflowRequest(body.isEmpty ? Array("{}".utf8) : body, needsImage: false)
        try check(asked, request, context)
        if let name = asked.model { _ = try await registry.model(name, within: caller.deadline) }
        return models()
      }
    }

    private func infer(
      _ request: Request, _ context: HTTPContext, _ task: InferenceCaller.Task
    ) async throws -> Response {
      let start = ContinuousClock.now
      return try await reader.withBody(request) { body in
        let asked = try RoboflowRequest(body, needsImage: true)
        try check(asked, request, context)
        try reader.check(count: asked.pictures.count)
        var options = CallOptions()
        options.model = asked.model
        options.upright = true
        options.threshold = asked.confidence
        options.maxLabels = asked.maximum
        options.detection.threshold = asked.confidence
        options.detection.maxObjects = asked.maximum
        let answer = try await caller.answer(
          asked.pictures, options, task: task, client: context.client, context: context)
        try answer.check()
        return RoboflowRoutes.response(
          answer, asked, model: answer.model, seconds: (ContinuousClock.now - start).seconds)
      }
    }

    private func check(
      _ asked: RoboflowRequest, _ request: Request, _ context: HTTPContext
    ) throws(Refusal) {
      guard !AccessGuard.hasKey(request.head) else { return }
      try access?.check(asked.key, scope: .infer, peer: context.peer)
    }

    private static func response(
      _ answer: InferenceCaller.Answer, _ asked: RoboflowRequest, model: ServedModel, seconds: Double
    ) -> Response {
      let append = { (json: inout JSONText, record: DetectionRecord) in
        json.object { RoboflowRoutes.append(record, model, seconds, to: &$0) }
      }
      return Response.jsonValue { json in
        if asked.isList {
          json.array(answer.records, append)
        } else {
          answer.records.prefix(1).forEach { append(&json, $0) }
        }
      }
    }

    private static func append(
      _ record: DetectionRecord, _ model: ServedModel, _ seconds: Double, to json: inout JSONText
    ) {
      guard let findings = record.findings else { return }
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
        json.member("predictions", labels) { json, label in
          json.object { json in
            json.member("class", label.text ?? "")
            json.member("class_id", label.index)
            json.member("confidence", Double(label.confidence), places: 6)
          }
        }
        json.member("top", labels.first?.text ?? "")
        json.member("confidence", Double(labels.first?.confidence ?? 0), places: 6)
      }
    }

    /// A box with its centre, as Roboflow has it.
    private static func append(_ object: DetectedObject, number: Int, to json: inout JSONText) {
      json.member("x", (object.box.minX + object.box.maxX) / 2, places: 3)
      json.member("y", (object.box.minY + object.box.maxY) / 2, places: 3)
      json.member("width", object.box.maxX - object.box.minX, places: 3)
      json.member("height", object.box.maxY - object.box.minY, places: 3)
      json.member("confidence", Double(object.score), places: 6)
      json.member("class", object.className)
      json.member("class_id", object.labels.first?.index ?? -1)
      json.member("detection_id", String(number))
    }
  }
#endif
