// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaRuntime
import HTTPTypes
import Hummingbird

/// The Open Inference Protocol, version 2, as used by KServe, Triton and OpenVINO.
///
/// A model has two interfaces: under its name ``ImageInterface``, which takes images and returns rows of
/// objects, and under `NAME@tensors` ``TensorInterface``, its own tensors.
struct InferRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }
  let drain: DrainState

  /// A model under the caller's name for it.
  private struct Interface: Sendable {
    let name: String
    let model: ServedModel
    let hasTensors: Bool

    var inputs: [TensorSummary] {
      hasTensors ? model.tensors.inputs.map { TensorSummary($0) } : [ImageInterface.input]
    }

    var outputs: [TensorSummary] {
      hasTensors ? model.tensors.outputs.map { TensorSummary($0) } : ImageInterface.outputs
    }
  }

  func add(to router: Router<HTTPContext>) {
    router.get("v2") { _, _ in
      Response.json { json in
        json.member("name", "fovea")
        json.member("version", "2")
        json.member("extensions", ["binary_tensor_data"])
      }
    }
    router.get("v2/health/live") { _, _ in Response.json { $0.member("live", true) } }
    router.get("v2/health/ready") { _, _ in
      let isReady = !drain.isDraining && !registry.models.isEmpty && registry.problem == nil
      return Response.json(isReady ? .ok : .badRequest) { $0.member("ready", isReady) }
    }
    router.get("v2/models/stats") { _, _ in InferRoutes.statistics(registry.places.compactMap(\.current)) }
    router.post("v2/repository/index") { request, context in
      try await reader.withModelRequest(request, context, .index) { index(isReady: $0.isReady) }
    }
    router.post("v2/repository/models/{model}/load") { request, context in
      try await reader.withModelRequest(request, context, .load) { _ in
        let place = try registry.place(InferRoutes.name(context).whole)
        do throws(FoveaError) { try await registry.load(place) } catch { throw place.texts.concealed(error) }
        return Response(status: .ok)
      }
    }
    router.post("v2/repository/models/{model}/unload") { request, context in
      try await reader.withModelRequest(request, context, .unload) { _ in
        try registry.place(InferRoutes.name(context).whole).unload()
        return Response(status: .ok)
      }
    }
    for path in ["v2/models/{model}", "v2/models/{model}/versions/{version}"] {
      router.get(RouterPath(path)) { _, context in try metadata(try await interface(context)) }
      router.get(RouterPath(path + "/ready")) { _, context in
        let isReady = isReady(context)
        return Response.json(isReady ? .ok : .badRequest) { json in
          json.member("name", InferRoutes.name(context).whole ?? "")
          json.member("ready", isReady)
        }
      }
      router.get(RouterPath(path + "/config")) { _, context in config(try await interface(context)) }
      router.get(RouterPath(path + "/stats")) { _, context in
        let interface = try await interface(context)
        return InferRoutes.statistics([interface.model])
      }
      router.post(RouterPath(path + "/infer")) { try await infer($0, $1) }
    }
  }

  /// Returns the model's name in a path, and whether it refers to the tensors.
  private static func name(_ context: HTTPContext) -> (whole: String?, model: String?, hasTensors: Bool) {
    let name = context.modelName
    let hasTensors = name?.hasSuffix(TensorInterface.suffix) == true
    let own = hasTensors ? name.map { String($0.dropLast(TensorInterface.suffix.count)) } : name
    return (name, own, hasTensors)
  }

  /// Returns whether a model accepts calls, even if the next call has to load it.
  private func isReady(_ context: HTTPContext) -> Bool {
    let place = try? registry.place(
      InferRoutes.name(context).model, version: context.parameters.get("version"))
    return place?.facts != nil
  }

  private func interface(_ context: HTTPContext) async throws -> Interface {
    let name = InferRoutes.name(context)
    let model = try await registry.model(
      name.model, version: context.parameters.get("version"), within: caller.deadline)
    return Interface(name: name.whole ?? model.name, model: model, hasTensors: name.hasTensors)
  }

  private func metadata(_ interface: Interface) throws(Refusal) -> Response {
    // Other models have only their tensors.
    if !interface.hasTensors { try InferenceCaller.check(nil, interface.model) }
    return Response.json { json in
      json.member("name", interface.name)
      json.member("versions", [String(interface.model.version)])
      json.member("platform", "tflite")
      json.member("inputs", interface.inputs)
      json.member("outputs", interface.outputs)
    }
  }

  private func config(_ interface: Interface) -> Response {
    Response.json { json in
      json.member("name", interface.name)
      json.member("platform", "tflite")
      json.member("max_batch_size", 0)
    }
  }

  private static func statistics(_ models: [ServedModel]) -> Response {
    Response.json { json in
      json.member(
        "model_stats",
        models.map { InferStatistics(name: $0.name, version: $0.version, sums: $0.statistics.current) })
    }
  }

  private func index(isReady: Bool) -> Response {
    Response.jsonValue { json in
      json.array(registry.places.filter { !isReady || $0.stage == .ready }) { json, place in
        json.object { json in
          json.member("name", place.entry.name)
          json.member("version", place.current.map { String($0.version) })
          json.member("state", place.stage == .ready ? "READY" : "UNAVAILABLE")
          json.member("reason", place.shownError?.message ?? "")
        }
      }
    }
  }

  private func infer(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let interface = try await interface(context)
    let length = try InferRoutes.headLength(request)
    let query = BodyQuery(options: InferRequest.parameterNames(ofTensors: interface.hasTensors))
    return try await reader.withBody(request, context, query: query) { body in
      try InferRequest(body, headLength: length)
    } _: { asked in
      try check(asked, interface)
      let wanted = try asked.wantedOutputs(of: interface.outputs.map(\.name))
      let tensors =
        interface.hasTensors
        ? try await self.tensors(asked, interface.model, context)
        : try await images(asked, interface.model, context)
      let outputs = wanted.compactMap { output in
        tensors.first { $0.name == output.name }.map { (output, $0) }
      }
      let size = outputs.reduce(0) { $0 + $1.1.size(isBinary: $1.0.isBinary ?? asked.isBinary) }
      // The answer counts as memory of the request's client, as its body does.
      try MemoryBudget.Share.current?.grow(by: size)
      return try await reader.work.run(on: size, for: context) {
        try InferReply.response(
          asked, name: interface.name, version: interface.model.version, outputs)
      }
    }
  }

  /// Refuses a body that names another model or version than the path.
  private func check(_ asked: InferRequest, _ interface: Interface) throws(Refusal) {
    let entry = try registry.place(interface.model.name).entry
    let suffix = interface.hasTensors ? TensorInterface.suffix : ""
    let names = ([entry.name] + entry.aliases).map { $0 + suffix }
    if let name = asked.model, !name.isEmpty, !names.contains(name) {
      throw Refusal(
        .badRequest, "option-invalid",
        "'model_name' is '\(name.prefix(80))', but the path names the model '\(interface.name)'",
        remedy: "Omit it, or send the call to /v2/models/MODEL/infer of that model")
    }
    // As in a path, 0 is any version.
    let present = interface.model.version
    if let version = asked.version, !["", "0", String(present)].contains(version) {
      throw Refusal(
        .badRequest, "option-invalid",
        "'model_version' is '\(version.prefix(20))', but the model '\(interface.name)' has only the version "
          + "\(present)",
        remedy: "Omit it, or request that version")
    }
  }

  private func images(
    _ asked: InferRequest, _ model: ServedModel, _ context: HTTPContext
  ) async throws -> [OutputTensor] {
    let images = try ImageInterface.images(of: asked)
    try reader.check(count: images.count)
    var options = try CallOptions(asked.options)
    options.model = model.name
    options.upright = true
    let answer = try await caller.limited(to: asked.timeout).answer(
      images.map { ReceivedImage(name: "-", bytes: $0) }, options, task: nil, client: context.client,
      context: context)
    try answer.check()
    return OutputTensor.tensors(of: answer.records)
  }

  private func tensors(
    _ asked: InferRequest, _ model: ServedModel, _ context: HTTPContext
  ) async throws -> [OutputTensor] {
    if let option = asked.options.first {
      throw CallOptions.unknown(option.name, among: InferRequest.parameterNames(ofTensors: true))
    }
    let values = try TensorInterface.inputs(of: asked, for: model.tensors.inputs)
    let start = ContinuousClock.now
    let outputs = try await caller.limited(to: asked.timeout).run(for: context.client, context: context) {
      let waited = ContinuousClock.now - start
      do {
        var timings = StageTimings()
        let outputs = try await model.tensors.run(values)
        timings.detect = ContinuousClock.now - start - waited
        timings.total = timings.detect
        model.statistics.count(timings, waited: waited)
        return outputs
      } catch {
        model.statistics.countFailure(waited: waited)
        throw (error as? FoveaError).map(model.texts.concealed) ?? error
      }
    }
    return outputs.map { output in
      OutputTensor(
        name: output.tensor.signatureName, shape: output.tensor.shape,
        values: .elements(output.tensor.elementType, output.bytes))
    }
  }

  private static func headLength(_ request: Request) throws(Refusal) -> Int? {
    guard let name = InferReply.headLength, let text = request.headers[name] else { return nil }
    guard let length = Int(text), length >= 0 else {
      throw InferRequest.mismatch(
        "The header \(name) is '\(text.prefix(40))', which is not a number of bytes")
    }
    return length
  }
}

extension ClientProtocol {
  /// The Open Inference Protocol, version 2.
  package static let openInference = ClientProtocol(
    name: "open-inference", title: "Open Inference Protocol", errors: .text,
    owns: { $0 == "/v2" || $0.hasPrefix("/v2/") },
    posts: { path in
      guard path.hasPrefix("/v2/repository/") else { return .images }
      return path.hasSuffix("/load") || path.hasSuffix("/unload") ? .models : []
    },
    routes: serverRoutes + modelRoutes(at: "/v2/models/{model}")
      + modelRoutes(at: "/v2/models/{model}/versions/{version}")
  ) { service, router in
    InferRoutes(caller: service.caller, reader: service.reader, drain: service.drain).add(to: router)
  }

  private static let serverRoutes = [
    APIRoute("GET", "/v2", "The server"),
    APIRoute("GET", "/v2/health/live", "Check that the server is alive"),
    APIRoute("GET", "/v2/health/ready", "Check that models are ready"),
    APIRoute("GET", "/v2/models/stats", "The models' statistics since they were loaded"),
    APIRoute("POST", "/v2/repository/index", "The models"),
    APIRoute("POST", "/v2/repository/models/{model}/load", "Load the current version"),
    APIRoute("POST", "/v2/repository/models/{model}/unload", "Unload a model"),
  ]

  private static func modelRoutes(at path: String) -> [APIRoute] {
    [
      APIRoute("GET", path, "The tensors of a model, or of its graph as NAME@tensors"),
      APIRoute("GET", path + "/ready", "Check that a model is ready"),
      APIRoute("GET", path + "/config", "The configuration of a model"),
      APIRoute("GET", path + "/stats", "A model's statistics since it was loaded"),
      APIRoute("POST", path + "/infer", "Inference with JSON, optionally followed by tensors", .json),
    ]
  }
}
#endif
