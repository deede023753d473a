// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaTesting
import Hummingbird
import Testing

@testable import FoveaInference

@Suite struct OpenAPITests {
  @Test func `each route is described, and nothing else`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.send("GET", "/openapi.json")
      let document = try #require(
        JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
      let paths = try #require(document["paths"] as? [String: [String: Any]])
      let described = paths.flatMap { path, operations in
        operations.keys.map { "\($0.uppercased()) \(path)" }
      }
      let served = server.service.router().routes.map { route in
        let path = route.path.description
        return "\(route.method.rawValue) " + (path.hasPrefix("/") ? path : "/" + path)
      }
      #expect(Set(described).symmetricDifference(served) == [])
      #expect(described.count == served.count)
    }
  }

  @Test func `the described cookie is the session's`() throws {
    let schemes = try #require(
      JSONSerialization.jsonObject(with: Data(APISchemas.security.utf8)) as? [String: [String: String]])
    #expect(schemes["cookie"]?["name"] == "fovea-session")
  }

  @Test(
    arguments: [
      (.detect, #"{"enum": ["json", "jsonl", "csv"]}"#), (.label, #"{"enum": ["json", "jsonl", "csv"]}"#),
      (.segment, #"{"enum": ["json", "jsonl", "png"]}"#), (.embed, #"{"enum": ["json", "jsonl", "csv"]}"#),
    ] as [(ServedTask, String)])
  func `the formats of a route are those of its task`(_ task: ServedTask, _ schema: String) throws {
    #expect(APISchemas.option("format", of: task) == schema)
    let routes = APIRoute.all.filter { if case .results(task) = $0.answer { true } else { false } }
    let document = OpenAPIDocument.text(of: routes)
    #expect(document.contains(#"{"name": "format", "in": "query", "schema": \#(schema)}"#))
  }

  @Test func `each option of a call has its schema`() throws {
    #expect(Set(APISchemas.options.keys) == Set(CallOptions.names))
    for (name, schema) in APISchemas.options {
      #expect(throws: Never.self, "\(name)") {
        try JSONSerialization.jsonObject(with: Data(schema.utf8))
      }
    }
  }
}
#endif
