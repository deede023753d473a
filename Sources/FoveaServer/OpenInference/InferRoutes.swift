// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaFormats
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// The Open Inference Protocol, version 2, which KServe, Triton and OpenVINO speak: images in, rows of objects out.
  ///
  /// A model takes the input `image`, BYTES of encoded images, and answers with ``OutputTensor/all``.
  struct InferRoutes: Sendable {
    let caller: InferenceCaller
    let reader: PictureReader
    let registry: ModelRegistry
    let drain: DrainState

    /// The header that says how many bytes of a body are its JSON.
    private static let headLength = HTTPField.Name("Inference-Header-Content-Length")

    func add(to router: Router<HTTPContext>) {
      router.get("v2") { _, _ in
        Response.json { json in
          json.member("name", "fovea")
          json.member("version", "2")
          json.member("extensions", ["binary_tensor_data"])
        }
      }
      router.get("v2/health/live") { _, _ in Response(status: .ok) }
      router.get("v2/health/ready") { _, _ in
        Response(status: drain.isDraining || registry.models.isEmpty ? .badRequest : .ok)
      }
      router.post("v2/repository/index") { _, _ in index() }
      for path in ["v2/models/{model}", "v2/models/{model}/versions/{version}"] {
        router.get(RouterPath(path)) { _, context in try answering { try metadata(context) } }
        router.get(RouterPath(path + "/ready")) { _, context in
          Response(status: (try? model(context)) == nil ? .badRequest : .ok)
        }
        router.get(RouterPath(path + "/config")) { _, context in try answering { try config(context) } }
        router.post(RouterPath(path + "/infer")) { try await infer($0, $1) }
      }
    }

    private func model(_ context: HTTPContext) throws(Refusal) -> ServedModel {
      let model = try registry.model(context.parameters.get("model"))
      if let version = context.parameters.get("version"), version != String(model.version) {
        throw Refusal(
          .notFound, "model-unknown", "The model '\(model.name)' has the version \(model.version) alone",
          remedy: "Leave the version out")
      }
      return model
    }

    private func answering(_ body: () throws -> Response) throws -> Response {
      do { return try body() } catch let refusal as Refusal { return InferRoutes.response(refusal) }
    }

    private func metadata(_ context: HTTPContext) throws(Refusal) -> Response {
      let model = try model(context)
      return Response.json { json in
        json.member("name", model.name)
        json.member("versions", [String(model.version)])
        json.member("platform", "tflite")
        json.member("inputs", [("image", "BYTES", [-1])], InferRoutes.append)
        json.member("outputs", OutputTensor.all.map { ($0.name, $0.type, $0.shape) }, InferRoutes.append)
      }
    }

    private static func append(_ json: inout JSONText, _ tensor: (String, String, [Int])) {
      json.object { json in
        json.member("name", tensor.0)
        json.member("datatype", tensor.1)
        json.member("shape", tensor.2)
      }
    }

    private func config(_ context: HTTPContext) throws(Refusal) -> Response {
      let model = try model(context)
      return Response.json { json in
        json.member("name", model.name)
        json.member("platform", "tflite")
        json.member("max_batch_size", 0)
      }
    }

    private func index() -> Response {
      Response.jsonValue { json in
        json.array(registry.places) { json, place in
          json.object { json in
            json.member("name", place.entry.name)
            json.member("version", place.current.map { String($0.version) })
            json.member("state", place.stage == .ready ? "READY" : "UNAVAILABLE")
            json.member("reason", place.lastError?.message ?? "")
          }
        }
      }
    }

    private func infer(_ request: Request, _ context: HTTPContext) async throws -> Response {
      do {
        let model = try model(context)
        let length = try InferRoutes.headLength(request)
        return try await reader.withBody(request) { body in
          let asked = try InferRequest(body, headLength: length)
          try reader.check(count: asked.images.count)
          let wanted = try InferRoutes.outputs(asked)
          var options = try CallOptions(asked.options)
          options.model = model.name
          options.upright = true
          let answer = try await caller.limited(to: asked.timeout).answer(
            asked.images.map { Picture(name: "-", bytes: $0) }, options, task: nil, client: context.peer,
            context: context)
          try answer.check()
          let tensors = OutputTensor.tensors(of: answer.records)
          return InferRoutes.response(
            asked.id, answer.model,
            wanted.compactMap { output in
              tensors.first { $0.name == output.name }.map { ($0, output.isBinary ?? asked.isBinary) }
            })
        }
      } catch let refusal as Refusal {
        return InferRoutes.response(refusal)
      }
    }

    private static func headLength(_ request: Request) throws(Refusal) -> Int? {
      guard let name = headLength, let text = request.headers[name] else { return nil }
      guard let length = Int(text), length >= 0 else {
        throw InferRequest.mismatch("The header \(name) is '\(text.prefix(40))', and no number of bytes")
      }
      return length
    }

    private static func outputs(_ asked: InferRequest) throws(Refusal) -> [InferRequest.Output] {
      guard !asked.outputs.isEmpty else {
        return OutputTensor.all.map { InferRequest.Output(name: $0.name) }
      }
      for output in asked.outputs where !OutputTensor.all.contains(where: { $0.name == output.name }) {
        throw InferRequest.mismatch(
          "There is no output '\(output.name.prefix(40))'; there are \(OutputTensor.all.map(\.name).joined(separator: ", "))"
        )
      }
      return asked.outputs
    }

    private static func response(
      _ id: String?, _ model: ServedModel, _ outputs: [(tensor: OutputTensor, isBinary: Bool)]
    ) -> Response {
      var tail: [UInt8] = []
      var json = JSONText(capacity: 512)
      json.object { json in
        json.member("model_name", model.name)
        json.member("model_version", String(model.version))
        if let id { json.member("id", id) }
        json.member("outputs", outputs) { json, output in
          let bytes = output.isBinary ? output.tensor.bytes : []
          tail += bytes
          json.object { output.tensor.append(to: &$0, byteCount: output.isBinary ? bytes.count : nil) }
        }
      }
      var headers = HTTPFields()
      let hasTail = outputs.contains { $0.isBinary }
      headers[.contentType] = hasTail ? "application/octet-stream" : "application/json; charset=utf-8"
      let head = Array(json.text.utf8)
      if hasTail, let name = headLength { headers[name] = String(head.count) }
      return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: head + tail)))
    }

    private static func response(_ refusal: Refusal) -> Response {
      return Response.json(refusal.statusOfOthers, headers: refusal.headers) {
        $0.member("error", refusal.sentences)
      }
    }
  }
#endif
