// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// The answer to an Open Inference Protocol call: JSON, followed by the tensors requested as bytes.
enum InferReply {
  /// The header with the length of a body's JSON.
  static let headLength = HTTPField.Name("Inference-Header-Content-Length")

  /// Writes an answer.
  /// - Parameters:
  ///   - request: The call, which selects the tensors to send as bytes.
  ///   - name: The model's name as the caller gave it.
  ///   - version: The version that answered.
  ///   - outputs: The requested outputs with their tensors.
  /// - Returns: The answer.
  /// - Throws: A refusal if JSON cannot represent a tensor.
  static func response(
    _ request: InferRequest, name: String, version: Int,
    _ outputs: [(wanted: InferRequest.Output, tensor: OutputTensor)]
  ) throws(Refusal) -> Response {
    var tail: [UInt8] = []
    var json = JSONText(capacity: 512)
    var unwritable: String?
    json.object { json in
      json.member("model_name", name)
      json.member("model_version", String(version))
      if let id = request.id { json.member("id", id) }
      json.member("outputs", outputs) { json, output in
        let isBinary = output.wanted.isBinary ?? request.isBinary
        let bytes = isBinary ? output.tensor.bytes : []
        tail += bytes
        json.object { json in
          if !output.tensor.append(to: &json, byteCount: isBinary ? bytes.count : nil) {
            unwritable = output.tensor.name
          }
        }
      }
    }
    if let unwritable {
      throw InferRequest.mismatch(
        "The output '\(unwritable)' has values that JSON cannot represent: request binary data")
    }
    var headers = HTTPFields()
    let hasTail = outputs.contains { $0.wanted.isBinary ?? request.isBinary }
    headers[.contentType] = hasTail ? "application/octet-stream" : "application/json; charset=utf-8"
    let head = Array(json.text.utf8)
    headers[.contentLength] = String(head.count + tail.count)
    if hasTail, let name = headLength { headers[name] = String(head.count) }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: head + tail)))
  }
}
#endif
