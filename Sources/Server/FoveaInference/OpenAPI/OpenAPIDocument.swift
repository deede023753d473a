// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `/openapi.json`: the routes as OpenAPI 3.1.
///
/// **Source:** OpenAPI Specification 3.1.1.
enum OpenAPIDocument {
  /// Returns the whole document for some routes.
  static func text(of routes: [APIRoute]) -> String {
    var paths: [String] = []
    for path in unique(routes.map(\.path)) {
      let operations = routes.filter { $0.path == path }.map { route in
        "\(quoted(route.method.lowercased())): \(operation(route))"
      }
      paths.append("\(quoted(path)): {\(operations.joined(separator: ",\n"))}")
    }
    let note =
      "Detects, labels, segments and embeds images as the commands detect, label, segment and embed do; "
      + "see docs/how-to/serving.md."
    return """
      {"openapi": "3.1.0",
      "info": {"title": "Fovea", "version": "1", "description": \(quoted(note))},
      "security": [{}, {"bearer": []}, {"header": []}, {"cookie": []}],
      "paths": {
      \(paths.joined(separator: ",\n"))
      },
      "components": {"schemas": \(APISchemas.schemas), "securitySchemes": \(APISchemas.security)}}

      """
  }

  private static func operation(_ route: APIRoute) -> String {
    var members = [
      "\"tags\": [\(quoted(route.family.title))]", "\"summary\": \(quoted(route.summary))",
    ]
    var parameters = route.names.map { name in
      #"{"name": \#(quoted(name)), "in": "path", "required": true, "schema": {"type": "string"}}"#
    }
    if case .results(let task) = route.answer { parameters += options(of: task) }
    parameters += route.query.map { name, schema in
      #"{"name": \#(quoted(name)), "in": "query", "schema": \#(schema)}"#
    }
    if !parameters.isEmpty { members.append("\"parameters\": [\(parameters.joined(separator: ",\n"))]") }
    if let body = body(route.content) { members.append("\"requestBody\": \(body)") }
    members.append("\"responses\": {\(responses(route))}")
    return "{\(members.joined(separator: ", "))}"
  }

  private static func options(of task: ServedTask) -> [String] {
    CallOptions.names(for: task).map { name in
      #"{"name": \#(quoted(name)), "in": "query", "schema": \#(APISchemas.option(name, of: task))}"#
    }
  }

  private static func body(_ content: APIRoute.Content) -> String? {
    switch content {
    case .none: nil
    case .json: #"{"required": true, "content": {"application/json": {"schema": {"type": "object"}}}}"#
    case .text(let type):
      #"{"required": true, "content": {\#(quoted(type)): {"schema": {"type": "string"}}}}"#
    case .images:
      #"""
      {"required": true, "content": {"image/jpeg": {"schema": {}}, "image/png": {"schema": {}}, "image/webp": {"schema": {}},
      "multipart/form-data": {"schema": {"type": "object", "additionalProperties": {"type": "string", "format": "binary"}}},
      "application/json": {"schema": {"$ref": "#/components/schemas/Images"}}}}
      """#
    }
  }

  private static func responses(_ route: APIRoute) -> String {
    let success: String
    switch route.answer {
    case .none: success = #""204": {"description": "Done"}"#
    case .socket: success = #""101": {"description": "The WebSocket is open"}"#
    case .json(let name): success = answer(["application/json": name])
    case .bytes(let types):
      let content = types.map { "\(quoted($0)): {}" }.joined(separator: ", ")
      success = #""200": {"description": "The answer", "content": {\#(content)}}"#
    case .results(let task): success = answer(types(of: task))
    }
    let name = [.native, .health, .page].contains(route.family) ? "Error" : "Any"
    let problem =
      "\"default\": {\"description\": \"The error\", \"content\": {\"application/json\": {\(schema(name))}}}"
    return success + ", " + problem
  }

  /// Returns the media types of a task's results, with the names of their schemas.
  private static func types(of task: ServedTask) -> KeyValuePairs<String, String?> {
    switch task {
    case .detect, .label:
      [
        "application/json": "Results", "application/x-ndjson": nil, "text/csv": nil, "image/jpeg": nil,
        "image/png": nil, "image/webp": nil,
      ]
    case .segment:
      [
        "application/json": "Results", "application/x-ndjson": nil, "image/jpeg": nil, "image/png": nil,
        "image/webp": nil,
      ]
    case .embed: ["application/json": "Results", "application/x-ndjson": nil, "text/csv": nil]
    }
  }

  private static func answer(_ types: KeyValuePairs<String, String?>) -> String {
    let content = types.map { "\(quoted($0.key)): {\($0.value.map(schema) ?? "")}" }
    return #""200": {"description": "The answer", "content": {\#(content.joined(separator: ", "))}}"#
  }

  private static func schema(_ name: String) -> String {
    "\"schema\": {\"$ref\": \"#/components/schemas/\(name)\"}"
  }

  private static func unique(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONText(capacity: text.utf8.count + 2)
    json.string(text)
    return json.text
  }
}

/// `GET /openapi.json`.
struct OpenAPIRoutes: Sendable {
  private let body: ByteBuffer

  init(_ routes: [APIRoute]) { body = ByteBuffer(string: OpenAPIDocument.text(of: routes)) }

  func add(to router: Router<HTTPContext>) {
    router.get("openapi.json") { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "application/json; charset=utf-8", .contentLength: "\(body.readableBytes)",
        ],
        body: ResponseBody(byteBuffer: body))
    }
  }
}
#endif
