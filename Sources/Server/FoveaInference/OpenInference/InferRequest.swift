// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// An Open Inference Protocol call: JSON, followed by the bytes of tensors that are not in it.
///
/// **Source:** KServe, Open Inference Protocol v2 (REST), and Triton's extension for binary tensor data.
struct InferRequest: Sendable {
  /// An output that the caller requests.
  struct Output: Sendable, Equatable {
    var name = ""
    var isBinary: Bool?
  }

  private(set) var id: String?
  /// The model and its version, which the path names too; nil if the body does not.
  private(set) var model: String?
  private(set) var version: String?
  private(set) var inputs: [InferInput] = []
  /// The outputs in the caller's order; empty for all.
  private(set) var outputs: [Output] = []
  /// Whether outputs follow the JSON by default.
  private(set) var isBinary = false
  /// The caller's own limit, in microseconds; nil for the server's.
  private(set) var timeout: Int?
  /// The options of the call, by the command line's names.
  private(set) var options: [(name: String, value: OptionValue)] = []

  /// Reads a body.
  /// - Parameters:
  ///   - body: JSON, followed by the tensors.
  ///   - headLength: The length of the JSON in bytes; nil if it is the whole body.
  /// - Throws: A refusal that names the tensor, with the expected and the actual values.
  init(_ body: [UInt8], headLength: Int?) throws(Refusal) {
    let length = headLength ?? body.count
    guard (0...body.count).contains(length) else {
      throw InferRequest.mismatch(
        "The header declares \(length) bytes of JSON, but the body has \(body.count) bytes")
    }
    do throws(JSONFailure) { try read(Array(body[..<length])) } catch {
      throw Refusal.malformed(
        error,
        remedy: #"Send {"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["…"]}]}"#)
    }
    var rest = body[length...]
    if let timeout, timeout < 0 {
      throw Refusal(
        .badRequest, "option-invalid", "'timeout' is \(timeout); it must be 0 or more",
        remedy: "Give microseconds; 0 means the server's own limit")
    }
    for index in inputs.indices { try inputs[index].take(from: &rest) }
    guard rest.isEmpty else { throw InferRequest.mismatch("\(rest.count) bytes belong to no input") }
  }

  static func mismatch(_ message: String) -> Refusal {
    Refusal(.badRequest, "tensor-mismatch", message, remedy: "See the tensors in GET /v2/models/MODEL")
  }

  /// The names of the inputs, for messages.
  var inputNames: String {
    guard !inputs.isEmpty else { return "none" }
    let names = inputs.prefix(10).map { "'\($0.name.prefix(40))'" }.joined(separator: ", ")
    return inputs.count > 10 ? names + ", …" : names
  }

  /// Returns the requested outputs: all of `names` if the caller requests none.
  /// - Throws: A refusal if the caller requests another version.
  func wantedOutputs(of names: [String]) throws(Refusal) -> [Output] {
    guard !outputs.isEmpty else { return names.map { Output(name: $0) } }
    for output in outputs where !names.contains(output.name) {
      throw InferRequest.mismatch(
        "There is no output '\(output.name.prefix(40))', only \(names.joined(separator: ", "))")
    }
    return outputs
  }

  private mutating func read(_ bytes: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(bytes)
    var names: Set<String> = []
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "id": id = try reader.textOrNull("'id'")
      case "inputs":
        try reader.list("a list of inputs") { reader throws(JSONFailure) in
          inputs.append(try InferInput(&reader))
        }
      case "outputs":
        try reader.list("a list of outputs") { reader throws(JSONFailure) in
          let output = try InferRequest.readOutput(&reader)
          // Each output is written once, so that the model bounds the answer and not the request.
          guard names.insert(output.name).inserted else {
            throw reader.mismatch("the output '\(output.name.prefix(40))' is named twice")
          }
          outputs.append(output)
        }
      case "parameters": try readParameters(&reader)
      case "model_name": model = try reader.textOrNull("'model_name'")
      case "model_version": version = try reader.textOrNull("'model_version'")
      default:
        throw reader.unknownMember(
          among: ["id", "inputs", "model_name", "model_version", "outputs", "parameters"])
      }
    }
    try reader.expectEnd()
  }

  private static let parameters = [
    "binary_data_output", "priority", "sequence_end", "sequence_id", "sequence_start", "timeout",
  ]

  /// Returns the names of the parameters for images, or for tensors, which have no options.
  static func parameterNames(ofTensors isOfTensors: Bool) -> [String] {
    (parameters + (isOfTensors ? [] : NamedOption.perCall.map(\.name))).sorted()
  }

  private mutating func readParameters(_ reader: inout JSONReader) throws(JSONFailure) {
    try reader.object("an object of parameters") { (reader, name) throws(JSONFailure) in
      switch name {
      case "binary_data_output": isBinary = try reader.flag("'binary_data_output'")
      case "timeout": timeout = try reader.identifier("'timeout'")
      // Models keep no state between calls, and calls of one client are processed in order.
      case "sequence_id", "sequence_start", "sequence_end", "priority": try reader.skip()
      default:
        guard NamedOption.perCall.contains(where: { $0.name == name }) else {
          throw reader.unknownMember(
            of: "'parameters'", among: InferRequest.parameterNames(ofTensors: false))
        }
        options.append((name, try reader.optionValue("'\(name)'")))
      }
    }
  }

  private static func readOutput(_ reader: inout JSONReader) throws(JSONFailure) -> Output {
    var output = Output()
    try reader.object("an output as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "name": output.name = try reader.textOrNull("'name' of an output") ?? ""
      case "parameters":
        try reader.object("an object of parameters") { (reader, member) throws(JSONFailure) in
          guard member == "binary_data" else {
            throw reader.unknownMember(of: "'parameters' of an output", among: ["binary_data"])
          }
          output.isBinary = try reader.flag("'binary_data'")
        }
      case "datatype", "shape": try reader.skip()
      default: throw reader.unknownMember(of: "an output", among: ["name", "parameters"])
      }
    }
    return output
  }
}
#endif
