// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaTesting
import Testing

/// A model's own tensors over the Open Inference Protocol.
@Suite struct TensorInterfaceTests {
  private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  private struct Tensor {
    let name: String
    let type: String
    let shape: [Int]
    /// The elements, as bytes of the type.
    var byteCount: Int { shape.reduce(type == "FP32" ? 4 : 1, *) }
  }

  private static func input(_ server: RunningInference, _ model: String) throws -> Tensor {
    let face = try json(server.send("GET", "/v2/models/\(model)@tensors"))
    let input = try #require((face["inputs"] as? [[String: Any]])?.first)
    return Tensor(
      name: try #require(input["name"] as? String), type: try #require(input["datatype"] as? String),
      shape: try #require(input["shape"] as? [Int]))
  }

  private static func send(
    _ server: RunningInference, _ head: String, _ tail: [UInt8] = [], model: String = "coarse%40tensors"
  ) throws -> HTTPAnswer {
    try server.send(
      "POST", "/v2/models/\(model)/infer",
      headers: ["Inference-Header-Content-Length": "\(head.utf8.count)"], Array(head.utf8) + tail)
  }

  @Test func `a graph accepts its tensors as bytes or as numbers, with the same result`() async throws {
    try await RunningInference.run { server in
      let tensor = try Self.input(server, "coarse")
      let count = tensor.byteCount
      let start =
        #"{"inputs": [{"name": "\#(tensor.name)", "datatype": "\#(tensor.type)", "shape": \#(tensor.shape), "#
      let bytes = try Self.json(
        Self.send(
          server, start + #""parameters": {"binary_data_size": \#(count)}}]}"#,
          [UInt8](repeating: 0, count: count)))
      let zeros = [String](repeating: "0", count: tensor.shape.reduce(1, *)).joined(separator: ",")
      let numbers = try Self.json(Self.send(server, start + #""data": [[\#(zeros)]]}]}"#))
      #expect(bytes["model_name"] as? String == "coarse@tensors")
      let first = try #require((bytes["outputs"] as? [[String: Any]])?.first)
      let second = try #require((numbers["outputs"] as? [[String: Any]])?.first)
      let values = try #require(first["data"] as? [Double])
      #expect(values == second["data"] as? [Double] && !values.isEmpty)
      #expect((first["shape"] as? [Int])?.reduce(1, *) == values.count)
    }
  }

  @Test func `a tensor that does not fit is named, and the next call is answered`() async throws {
    try await RunningInference.run { server in
      let tensor = try Self.input(server, "coarse")
      let (name, type, count) = (tensor.name, tensor.type, tensor.byteCount)
      func head(_ name: String, _ type: String, _ shape: [Int], _ size: Int) -> String {
        #"{"inputs": [{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(shape), "parameters": {"binary_data_size": \#(size)}}]}"#
      }
      let zeros = [UInt8](repeating: 0, count: count)
      let good = head(name, type, tensor.shape, count)
      let huge = [1, 1 << 31, 1 << 31, 3]
      let rows: [(name: String, head: String, tail: [UInt8])] = [
        ("another name", head("x", type, tensor.shape, count), zeros),
        ("another type", head(name, "INT64", tensor.shape, count), zeros),
        ("another shape", head(name, type, [1, 2, 2, 3], 12), Array(zeros.prefix(12))),
        ("a shape of another rank", head(name, type, [count], count), zeros),
        ("2^62 elements", head(name, type, huge, count), zeros),
        ("fewer bytes", head(name, type, tensor.shape, count - 1), Array(zeros.dropLast())),
        ("no input", #"{"inputs": []}"#, []),
        (
          "texts",
          #"{"inputs": [{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(tensor.shape), "data": ["aGk="]}]}"#,
          []
        ),
        (
          "too few numbers",
          #"{"inputs": [{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(tensor.shape), "data": [1]}]}"#,
          []
        ),
        (
          "texts and numbers",
          #"{"inputs": [{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(tensor.shape), "data": [1, "aGk="]}]}"#,
          []
        ),
        (
          "deep nesting",
          #"{"inputs": [{"name": "\#(name)", "datatype": "\#(type)", "shape": \#(tensor.shape), "data": \#(String(repeating: "[", count: 40))"#,
          []
        ),
      ]
      for row in rows {
        let answer = try Self.send(server, row.head, row.tail)
        #expect(answer.status == 400, "\(row.name): \(answer.status) \(answer.body.prefix(200))")
        #expect(try Self.json(answer)["error"] is String, "\(row.name)")
        #expect(try Self.send(server, good, zeros).status == 200, "after \(row.name)")
      }
      #expect(try Self.send(server, good, zeros, model: "none@tensors").status == 404)
    }
  }

  @Test func `Vertex's clients get boxes as x min, x max, y min, y max`() async throws {
    let image = Data(try RunningInference.bytes()).base64EncodedString()
    let path = "/v1/projects/p/locations/l/endpoints"
    try await RunningInference.run { server in
      let answer = try Self.json(
        server.post(
          "\(path)/default:predict",
          #"{"instances": [{"content": "\#(image)", "mimeType": "image/jpeg"}], "parameters": {"maxPredictions": 1, "confidenceThreshold": 0.3}}"#
        ))
      let first = try #require((answer["predictions"] as? [[String: Any]])?.first)
      #expect(first["displayNames"] as? [String] == ["cup"])
      let box = try #require((first["bboxes"] as? [[Double]])?.first)
      #expect(
        box.count == 4 && box[0] < box[1] && box[2] < box[3] && box.allSatisfy { (0...1).contains($0) })
      let labels = try Self.json(
        server.post("\(path)/coarse:predict", #"{"instances": [{"content": "\#(image)"}]}"#))
      let names = ((labels["predictions"] as? [[String: Any]])?.first)?["displayNames"] as? [String]
      #expect(names?.first == "Home good")
      for body in [
        "", "{}", #"{"instances": []}"#, #"{"instances": [{}]}"#,
        #"{"instances": [{"content": "aGVsbG8="}]}"#,
        #"{"instances": [{"content": "aGk="}], "parameters": {"confidenceThreshold": 2}}"#,
      ] {
        let refused = try server.post("\(path)/default:predict", body)
        let error = try #require(Self.json(refused)["error"] as? [String: Any])
        #expect(
          (400...422).contains(refused.status) && error["status"] as? String == "INVALID_ARGUMENT",
          "\(body)")
      }
    }
  }
}
#endif
