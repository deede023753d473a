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

/// `:predict` of AutoML Vision Edge's container, which follows TF Serving's REST API.
struct PredictRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader

  /// The number of rows of an exported detector; existing clients read the first row without checking that it
  /// exists.
  private static let rows = 40

  func add(to router: Router<HTTPContext>) {
    router.post("v1/models/{model}:predict") { try await predict($0, $1) }
    router.post("v1/models/{model}/versions/{version}:predict") { try await predict($0, $1) }
    for path in ["v1/models/{model}/metadata", "v1/models/{model}/versions/{version}/metadata"] {
      router.get(RouterPath(path)) { _, context in
        SignatureReply.response(
          try await caller.registry.model(
            context.modelName, version: context.parameters.get("version"), within: caller.deadline))
      }
    }
    router.get("v1/models/{model}/versions/{version}") { _, context in
      let place = try caller.registry.place(context.modelName, version: context.parameters.get("version"))
      return Response.json { ModelRoutes.appendStatus(of: place, to: &$0) }
    }
  }

  private func predict(_ request: Request, _ context: HTTPContext) async throws -> Response {
    return try await reader.withBody(request, context) { body in
      let asked: PredictRequest
      do throws(JSONFailure) { asked = try PredictRequest(body) } catch {
        throw Refusal.malformed(
          error, remedy: #"Send {"instances": [{"image_bytes": {"b64": "…"}, "key": "1"}]}"#)
      }
      try reader.check(count: asked.instances.count)
      _ = try caller.registry.place(context.modelName, version: context.parameters.get("version"))
      let answer = try await caller.answer(
        asked.instances.map(\.image), PredictRoutes.options(context), task: nil, client: context.client,
        context: context)
      try answer.check()
      return PredictRoutes.response(answer, asked)
    }
  }

  /// Returns options without a threshold: the caller's code applies its own.
  private static func options(_ context: HTTPContext) -> CallOptions {
    var options = CallOptions()
    options.model = context.modelName
    options.upright = true
    options.named.selection.threshold = 0
    options.named.selection.maxObjects = rows
    options.named.maxResults = 100_000
    return options
  }

  private static func response(_ answer: InferenceCaller.Answer, _ asked: PredictRequest) -> Response {
    Response.json { json in
      json.member(asked.isColumns ? "outputs" : "predictions", Array(answer.records.indices)) {
        json, index in
        json.object { json in
          switch answer.records[index].findings?.content {
          case .labels(let labels): append(labels, to: &json)
          case .objects(let objects):
            append(objects, of: answer.records[index].findings, to: &json)
          case nil: break
          }
          if let key = asked.instances[index].key { json.member("key", key) }
        }
      }
    }
  }

  private static func append(_ labels: [Label], to json: inout JSONText) {
    json.member("labels", labels.map { $0.text ?? "class \($0.index)" })
    json.member("scores", labels.map { Double($0.confidence) })
  }

  /// Appends the tensors of an exported detector, padded with zeros to its number of rows.
  private static func append(
    _ objects: [DetectedObject], of findings: DetectionRecord.Findings?, to json: inout JSONText
  ) {
    let size = findings?.size ?? PixelSize(width: 1, height: 1)
    let (width, height) = (Double(size.width), Double(size.height))
    let padding = max(0, rows - objects.count)
    let boxes =
      objects.map {
        [$0.box.minY / height, $0.box.minX / width, $0.box.maxY / height, $0.box.maxX / width]
      }
      + Array(repeating: [0, 0, 0, 0], count: padding)
    json.member("detection_boxes", boxes) { json, box in
      json.array(box) { json, value in json.literal(value) }
    }
    let zeros = [Double](repeating: 0, count: padding)
    json.member("detection_scores", objects.map { Double($0.score) } + zeros)
    json.member("detection_classes", objects.map { Double(($0.labels.first?.index ?? 0) + 1) } + zeros)
    json.member(
      "detection_classes_as_text",
      objects.map(\.className) + [String](repeating: "", count: padding))
    json.member("num_detections", Double(objects.count), places: 1)
    // The container's six numbers: height and width, a scale of 1, 0, and height and width again.
    json.member("image_info", [size.height, size.width, 1, 0, size.height, size.width])
  }
}

extension ClientProtocol {
  /// AutoML Vision Edge's container, which follows TF Serving's REST API.
  package static let autoML = ClientProtocol(
    name: "automl", title: "AutoML container", errors: .text,
    owns: { path in
      path.hasSuffix(":predict")
        || path.hasPrefix("/v1/models/") && (path.hasSuffix("/metadata") || path.contains("/versions/"))
    },
    routes: [
      APIRoute("POST", "/v1/models/{model}:predict", "Images in base64 to tensors or labels", .json),
      APIRoute("POST", "/v1/models/{model}/versions/{version}:predict", "The same, with a version", .json),
      APIRoute("GET", "/v1/models/{model}/metadata", "The inputs and outputs of a model"),
      APIRoute("GET", "/v1/models/{model}/versions/{version}/metadata", "The same, with a version"),
      APIRoute("GET", "/v1/models/{model}/versions/{version}", "The state of a model"),
    ]
  ) { service, router in
    PredictRoutes(caller: service.caller, reader: service.reader).add(to: router)
  }
}
#endif
