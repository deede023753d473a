// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes

  /// A call of the Open Inference Protocol: JSON, and behind it the bytes of tensors that are not in it.
  ///
  /// **Source:** KServe, Open Inference Protocol v2 (REST), and Triton's extension for binary tensor data.
  struct InferRequest: Sendable {
    /// An output that the caller asks for.
    struct Output: Sendable, Equatable {
      var name = ""
      var isBinary: Bool?
    }

    /// A tensor of the request.
    private struct Input {
      var name = ""
      var type = ""
      var shape: [Int] = []
      var images: [[UInt8]] = []
      /// How many of the bytes behind the JSON are its own; nil where its data is in the JSON.
      var byteCount: Int?
    }

    private(set) var id: String?
    private(set) var images: [[UInt8]] = []
    /// The outputs in the caller's order; empty for all.
    private(set) var outputs: [Output] = []
    /// Whether outputs that say nothing else come behind the JSON.
    private(set) var isBinary = false
    /// The caller's own limit, in microseconds; nil for the server's.
    private(set) var timeout: Int?
    /// The options of the call, by the command line's names.
    private(set) var options: [(name: String, value: String)] = []

    /// Reads a body.
    /// - Parameters:
    ///   - body: JSON, and the tensors behind it.
    ///   - headLength: How many bytes the JSON has; nil where it is all of the body.
    /// - Throws: A refusal that names the tensor, with what is expected and what is there.
    init(_ body: [UInt8], headLength: Int?) throws(Refusal) {
      let length = headLength ?? body.count
      guard (0...body.count).contains(length) else {
        throw InferRequest.mismatch(
          "The header says \(length) bytes of JSON; the body has \(body.count) bytes")
      }
      var inputs: [Input] = []
      do throws(JSONFailure) { inputs = try read(Array(body[..<length])) } catch {
        throw Refusal.malformed(
          error,
          remedy: #"Send {"inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["…"]}]}"#)
      }
      var rest = body[length...]
      guard inputs.count == 1, inputs[0].name == "image" else {
        throw InferRequest.mismatch(
          "The model takes one input, 'image'; the request has \(inputs.map { "'\($0.name.prefix(40))'" }.joined(separator: ", "))"
        )
      }
      var input = inputs[0]
      guard input.type == "BYTES" else {
        throw InferRequest.mismatch(
          "The input 'image' is of BYTES; the request has '\(input.type.prefix(20))'")
      }
      if let count = input.byteCount {
        guard (0...rest.count).contains(count) else {
          throw InferRequest.mismatch("The input 'image' says \(count) bytes; \(rest.count) are there")
        }
        input.images = try InferRequest.elements(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      guard rest.isEmpty else { throw InferRequest.mismatch("\(rest.count) bytes belong to no input") }
      let count = input.shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
      guard !input.shape.isEmpty, input.shape.allSatisfy({ (0...1_000_000).contains($0) }),
        input.shape.count <= 2, count == input.images.count, count > 0
      else {
        throw InferRequest.mismatch(
          "The input 'image' has the shape \(input.shape) and \(input.images.count) images")
      }
      images = input.images
    }

    /// The elements of a tensor of BYTES: a length of four bytes, little endian, before each.
    private static func elements(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> [[UInt8]] {
      var elements: [[UInt8]] = []
      var rest = bytes
      while !rest.isEmpty {
        let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 4, rest.count - 4 >= length else {
          throw mismatch("An element of 'image' says \(length) bytes; \(max(0, rest.count - 4)) are there")
        }
        elements.append(Array(rest.dropFirst(4).prefix(length)))
        rest = rest.dropFirst(4 + length)
      }
      return elements
    }

    static func mismatch(_ message: String) -> Refusal {
      Refusal(.badRequest, "tensor-mismatch", message, remedy: "GET /v2/models/MODEL describes the tensors")
    }

    private mutating func read(_ bytes: [UInt8]) throws(JSONFailure) -> [Input] {
      var reader = JSONReader(bytes: bytes, name: "The body")
      var inputs: [Input] = []
      try reader.expect(UInt8(ascii: "{"), "an object")
      var isFirst = true
      while try reader.nextKey(&isFirst) != nil {
        switch reader.lastKey {
        case "id": id = try reader.optionalString()
        case "inputs":
          try reader.expect(UInt8(ascii: "["), "a list of inputs")
          var isFirstInput = true
          while try reader.nextElement(&isFirstInput) { inputs.append(try InferRequest.readInput(&reader)) }
        case "outputs":
          try reader.expect(UInt8(ascii: "["), "a list of outputs")
          var isFirstOutput = true
          while try reader.nextElement(&isFirstOutput) {
            outputs.append(try InferRequest.readOutput(&reader))
          }
        case "parameters": try readParameters(&reader)
        default: try reader.skip()
        }
      }
      try reader.expectEnd()
      return inputs
    }

    private mutating func readParameters(_ reader: inout JSONReader) throws(JSONFailure) {
      try reader.expect(UInt8(ascii: "{"), "an object of parameters")
      var isFirst = true
      while try reader.nextKey(&isFirst) != nil {
        let name = reader.lastKey
        switch name {
        case "binary_data_output": isBinary = try reader.flag("'binary_data_output'")
        case "timeout": timeout = try reader.identifier("'timeout'")
        case "threshold", "max-objects":
          let number = try reader.double("'\(name)'")
          let isWhole = number == number.rounded() && abs(number) < 1e15
          options.append((name, isWhole ? String(Int64(number)) : String(number)))
        // Sequences, priorities and what else a client adds.
        default: try reader.skip()
        }
      }
    }

    private static func readInput(_ reader: inout JSONReader) throws(JSONFailure) -> Input {
      var input = Input()
      try reader.expect(UInt8(ascii: "{"), "an input as an object")
      var isFirst = true
      while try reader.nextKey(&isFirst) != nil {
        switch reader.lastKey {
        case "name": input.name = try reader.optionalString() ?? ""
        case "datatype": input.type = try reader.optionalString() ?? ""
        case "shape":
          try reader.expect(UInt8(ascii: "["), "a shape")
          var isFirstSize = true
          while try reader.nextElement(&isFirstSize) { input.shape.append(try reader.identifier("a size")) }
        case "data":
          try reader.expect(UInt8(ascii: "["), "a list of images in base64")
          var isFirstImage = true
          while try reader.nextElement(&isFirstImage) {
            input.images.append(try reader.base64Value("an element of 'data'"))
          }
        case "parameters":
          try reader.expect(UInt8(ascii: "{"), "an object of parameters")
          var isFirstParameter = true
          while try reader.nextKey(&isFirstParameter) != nil {
            guard reader.lastKey == "binary_data_size" else {
              try reader.skip()
              continue
            }
            input.byteCount = try reader.identifier("'binary_data_size'")
          }
        default: try reader.skip()
        }
      }
      return input
    }

    private static func readOutput(_ reader: inout JSONReader) throws(JSONFailure) -> Output {
      var output = Output()
      try reader.expect(UInt8(ascii: "{"), "an output as an object")
      var isFirst = true
      while try reader.nextKey(&isFirst) != nil {
        switch reader.lastKey {
        case "name": output.name = try reader.optionalString() ?? ""
        case "parameters":
          try reader.expect(UInt8(ascii: "{"), "an object of parameters")
          var isFirstParameter = true
          while try reader.nextKey(&isFirstParameter) != nil {
            guard reader.lastKey == "binary_data" else {
              try reader.skip()
              continue
            }
            output.isBinary = try reader.flag("'binary_data'")
          }
        default: try reader.skip()
        }
      }
      return output
    }
  }
#endif
