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
        let model = try await caller.registry.model(
          context.modelName, version: context.parameters.get("version"), within: caller.deadline)
        try InferenceCaller.check(nil, model)
        return SignatureReply.response(model)
      }
    }
    router.get("v1/models/{model}/versions/{version}") { _, context in
      let place = try caller.registry.place(context.modelName, version: context.parameters.get("version"))
      return Response.json { ModelRoutes.appendStatus(of: place, to: &$0) }
    }
  }

  private func predict(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try GoogleQuery.checkEmpty(request)
    return try await reader.withBody(request, context, query: nil) { body in
      do throws(JSONFailure) { return try PredictRequest(body) } catch {
        throw Refusal.malformed(
          error, remedy: #"Send {"instances": [{"image_bytes": {"b64": "…"}, "key": "1"}]}"#)
      }
    } _: { asked in
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
    let hasKeys = asked.instances.contains { $0.key != nil }
    let images: [[Tensor]] = zip(answer.records, asked.instances).map { record, instance in
      var outputs = tensors(of: record.findings)
      let key = instance.key
      if asked.isColumns ? hasKeys : key != nil { outputs.append(Tensor("key") { $0.string(key) }) }
      return outputs
    }
    return Response.json { json in
      if asked.isColumns {
        json.member("outputs") { appendColumns(images, to: &$0) }
      } else {
        json.member("predictions", images) { json, tensors in
          json.object { json in
            for tensor in tensors {
              json.key(tensor.name)
              tensor.append(&json)
            }
          }
        }
      }
    }
  }

  /// Appends each tensor once, with the values of all images.
  ///
  /// All images of a call have the same tensors, because they are those of one model.
  private static func appendColumns(_ images: [[Tensor]], to json: inout JSONText) {
    for (index, tensor) in (images.first ?? []).enumerated() {
      json.key(tensor.name)
      json.array(images.filter { index < $0.count }) { json, tensors in tensors[index].append(&json) }
    }
  }

  /// A named output of one image.
  private struct Tensor {
    let name: StaticString
    /// Appends the value.
    let append: (inout JSONText) -> Void

    init(_ name: StaticString, _ append: @escaping (inout JSONText) -> Void) {
      self.name = name
      self.append = append
    }

    init<Value: JSONWritable>(_ name: StaticString, _ values: [Value]) {
      self.init(name) { json in
        json.array(values) { json, value in value.append(to: &json) }
      }
    }
  }

  private static func tensors(of findings: DetectionRecord.Findings?) -> [Tensor] {
    switch findings?.content {
    case .labels(let labels): tensors(of: labels)
    case .objects(let objects):
      tensors(of: objects, in: findings?.size ?? PixelSize(width: 1, height: 1))
    // Segmenters are refused before they run.
    case .map, nil: []
    }
  }

  private static func tensors(of labels: [Label]) -> [Tensor] {
    [
      Tensor("labels", labels.map { $0.text ?? "class \($0.index)" }),
      Tensor("scores", labels.map { Double($0.confidence) }),
    ]
  }

  /// Returns the tensors of an exported detector, padded with zeros to its number of rows.
  private static func tensors(of objects: [DetectedObject], in size: PixelSize) -> [Tensor] {
    let (width, height) = (Double(size.width), Double(size.height))
    let padding = max(0, rows - objects.count)
    let boxes =
      objects.map {
        [$0.box.minY / height, $0.box.minX / width, $0.box.maxY / height, $0.box.maxX / width]
      }
      + Array(repeating: [0, 0, 0, 0], count: padding)
    let zeros = [Double](repeating: 0, count: padding)
    let scores = objects.map { Double($0.score) } + zeros
    let classes = objects.map { Double(($0.labels.first?.index ?? 0) + 1) } + zeros
    let names = objects.map(\.className) + [String](repeating: "", count: padding)
    // The container's six numbers: height and width, a scale of 1, 0, and height and width again.
    let info = [size.height, size.width, 1, 0, size.height, size.width]
    return [
      Tensor("detection_boxes") { json in
        json.array(boxes) { json, box in json.array(box) { json, value in json.literal(value) } }
      },
      Tensor("detection_scores", scores),
      Tensor("detection_classes", classes),
      Tensor("detection_classes_as_text", names),
      Tensor("num_detections") { $0.number(Double(objects.count), places: 1) },
      Tensor("image_info", info),
    ]
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
    // Google's clients send their system parameters, and TF Serving has none of its own.
    checkQuery: GoogleQuery.checkEmpty,
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
