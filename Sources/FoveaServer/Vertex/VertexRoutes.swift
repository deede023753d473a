// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaFormats
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// `:predict` of an endpoint of Vertex AI, whose id is the name of a model.
  struct VertexRoutes: Sendable {
    let caller: InferenceCaller
    let reader: PictureReader

    func add(to router: Router<HTTPContext>) {
      router.post("v1/projects/{project}/locations/{location}/endpoints/{model}:predict") {
        try await predict($0, $1)
      }
    }

    private func predict(_ request: Request, _ context: HTTPContext) async throws -> Response {
      try await reader.withBody(request) { body in
        let asked = try VertexRequest(body)
        try reader.check(count: asked.pictures.count)
        var options = CallOptions()
        options.model = context.parameters.get("model")
        options.upright = true
        options.threshold = asked.threshold
        options.detection.threshold = options.threshold
        options.maxLabels = asked.maximum
        options.detection.maxObjects = asked.maximum
        let answer = try await caller.answer(
          asked.pictures, options, task: nil, client: context.client, context: context)
        try answer.check()
        return VertexRoutes.response(answer)
      }
    }

    private static func response(_ answer: InferenceCaller.Answer) -> Response {
      Response.json { json in
        json.member("predictions", answer.records.compactMap(\.findings)) { json, findings in
          json.object { append(findings, to: &$0) }
        }
        json.member("deployedModelId", answer.model.name)
        json.member("model", answer.model.name)
        json.member("modelDisplayName", answer.model.name)
        json.member("modelVersionId", String(answer.model.version))
      }
    }

    /// Boxes are x min, x max, y min, y max, 0…1.
    private static func append(_ findings: DetectionRecord.Findings, to json: inout JSONText) {
      switch findings.content {
      case .labels(let labels):
        json.member("ids", labels.map { String($0.index) })
        json.member("displayNames", labels.map { $0.text ?? "class \($0.index)" })
        json.member("confidences", labels.map { Double($0.confidence) })
      case .objects(let objects):
        let (width, height) = (Double(findings.size.width), Double(findings.size.height))
        json.member("ids", objects.map { String($0.labels.first?.index ?? 0) })
        json.member("displayNames", objects.map(\.className))
        json.member("confidences", objects.map { Double($0.score) })
        json.member("bboxes", objects) { json, object in
          let box = object.box
          json.array([box.minX / width, box.maxX / width, box.minY / height, box.maxY / height]) {
            json, value in json.literal(value)
          }
        }
      }
    }
  }
#endif
