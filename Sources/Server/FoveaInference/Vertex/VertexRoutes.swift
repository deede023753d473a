// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// A Vertex AI endpoint, whose id is a model's name: its resource, `:predict` and `:rawPredict`.
///
/// Google's `Endpoint` requests its resource before predicting, and accepts only numbers as short ids: a
/// model may have one as an alias.
struct VertexRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }

  private static let path = "v1/projects/{project}/locations/{location}/endpoints/{model}"

  func add(to router: Router<HTTPContext>) {
    router.get(RouterPath(VertexRoutes.path)) { _, context in try endpoint(context) }
    for call in [":predict", ":rawPredict"] {
      router.post(RouterPath(VertexRoutes.path + call)) { try await predict($0, $1) }
    }
  }

  /// The id of an endpoint's only deployed model.
  private static let deployedID = "1"

  /// The start of resource names in a request's project and location.
  private static func parent(_ context: HTTPContext) -> String {
    let parts = ["project", "location"].map { context.parameters.get($0) ?? "" }
    return "projects/\(parts[0])/locations/\(parts[1])"
  }

  /// **Source:** Vertex AI's REST reference, projects.locations.endpoints.
  private func endpoint(_ context: HTTPContext) throws(Refusal) -> Response {
    let place = try registry.place(context.modelName)
    let parent = VertexRoutes.parent(context)
    return Response.json { json in
      json.member("name", "\(parent)/endpoints/\(context.modelName ?? "")")
      json.member("displayName", place.entry.name)
      json.objects("deployedModels", [place]) { json, place in
        json.member("id", VertexRoutes.deployedID)
        json.member("model", "\(parent)/models/\(place.entry.name)")
        json.member("displayName", place.entry.name)
        json.member("modelVersionId", String(place.facts?.version ?? 1))
      }
      json.member("trafficSplit") { json in
        json.key(named: VertexRoutes.deployedID)
        json.integer(100)
      }
    }
  }

  private func predict(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try GoogleQuery.check(request, BodyQuery(options: VertexRequest.parameters))
    return try await reader.withBody(request, context, query: nil, as: { try VertexRequest($0) }) { asked in
      try reader.check(count: asked.images.count)
      var options = CallOptions()
      options.model = context.modelName
      options.upright = true
      options.named.selection.threshold = asked.threshold
      options.named.selection.maxObjects = asked.maximum
      options.named.maxResults = asked.maximum
      let answer = try await caller.answer(
        asked.images, options, task: nil, client: context.client, context: context)
      try answer.check()
      return VertexRoutes.response(answer, parent: VertexRoutes.parent(context))
    }
  }

  private static func response(_ answer: InferenceCaller.Answer, parent: String) -> Response {
    Response.json { json in
      json.member("predictions", answer.records.compactMap(\.findings)) { json, findings in
        json.object { append(findings, to: &$0) }
      }
      json.member("deployedModelId", deployedID)
      json.member("model", "\(parent)/models/\(answer.model.name)")
      json.member("modelDisplayName", answer.model.name)
      json.member("modelVersionId", String(answer.model.version))
    }
  }

  /// Writes boxes as x min, x max, y min, y max, 0…1.
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
    // Segmenters are refused before they run.
    case .map: break
    }
  }
}

extension ClientProtocol {
  /// Vertex AI's endpoints.
  package static let vertex = ClientProtocol(
    name: "vertex", title: "Vertex AI", errors: .google, keyHeader: "x-goog-api-key",
    owns: { $0.hasPrefix("/v1/projects/") }, checkQuery: GoogleQuery.checkEmpty,
    routes: [
      APIRoute(
        "POST", "/v1/projects/{project}/locations/{location}/endpoints/{model}:predict",
        "Objects or labels of images in base64", .json),
      APIRoute(
        "POST", "/v1/projects/{project}/locations/{location}/endpoints/{model}:rawPredict",
        "The same", .json),
      APIRoute(
        "GET", "/v1/projects/{project}/locations/{location}/endpoints/{model}",
        "The endpoint and its model"),
    ]
  ) { service, router in
    VertexRoutes(caller: service.caller, reader: service.reader).add(to: router)
  }
}
#endif
