// SPDX-License-Identifier: Apache-2.0

extension GraphParts {
  /// The quantisation of a new tensor.
  package enum Scales {
    case one(TensorScale)
    /// A scale per entry of the first dimension, and zero points of 0.
    case rows([Float])
    /// A scale per entry of a dimension, and zero points of 0.
    case channels([Float], dimension: Int)
    case int32(Float)
  }

  /// Adds a tensor with an element type of the schema and returns its index; one without content is computed.
  package mutating func add(
    _ name: String, shape: [Int], type: UInt8, _ scales: Scales? = nil, content: [UInt8]? = nil
  ) -> Int {
    typealias Field = GraphSchema.Tensor
    var node = FlatNode()
    node.set(Field.shape, .uint32s(shape.map { UInt32($0) }))
    node.set(Field.type, .uint8(type))
    node.set(Field.buffer, .uint32(UInt32(content == nil ? 0 : buffers.count)))
    node.set(Field.name, string: name)
    node.set(Field.quantization, scales.map { .table(Self.quantization($0)) })
    node.set(Field.hasRank, .uint8(1))
    if let content { buffers.append(content) }
    tensors.append(node)
    return tensors.count - 1
  }

  /// Adds an operator with one output; options come with their type in the schema.
  package mutating func add(
    _ kind: BuiltinOperator, version: UInt32, _ inputs: [Int], makes output: Int,
    options: (type: UInt8, FlatNode)? = nil
  ) {
    typealias Field = GraphSchema.Operator
    let code = self.code(Code(number: kind.rawValue, version: version, custom: nil))
    var node = FlatNode()
    node.set(Field.code, .uint32(UInt32(code)))
    node.set(Field.inputs, .uint32s(inputs.map { UInt32($0) }))
    node.set(Field.outputs, .uint32s([UInt32(output)]))
    if let options {
      node.set(Field.optionsType, .uint8(options.type))
      node.set(Field.options, .table(options.1))
    }
    operators.append(node)
  }

  /// Adds a copy of an operator; the tensor -1 is an omitted input.
  package mutating func add(
    _ code: Code, _ inputs: [Int], makes outputs: [Int], _ options: OptionsCopy, customFormat: UInt8
  ) {
    typealias Field = GraphSchema.Operator
    let index = self.code(code)
    var node = FlatNode()
    node.set(Field.code, .uint32(UInt32(index)))
    node.set(Field.inputs, .uint32s(inputs.map { UInt32(bitPattern: Int32($0)) }))
    node.set(Field.outputs, .uint32s(outputs.map { UInt32($0) }))
    node.set(Field.optionsType, .uint8(options.type))
    node.set(Field.options, options.table)
    node.set(Field.customOptions, options.custom.map { .bytes($0, alignment: 16) })
    node.set(Field.customFormat, .uint8(customFormat))
    operators.append(node)
  }

  /// Returns the index of an operator code, which is added if it is new.
  private mutating func code(_ code: Code) -> Int {
    if let known = codes.firstIndex(of: code) { return known }
    codes.append(code)
    return codes.count - 1
  }

  private static func quantization(_ scales: Scales) -> FlatNode {
    typealias Field = GraphSchema.Quantization
    let (numbers, zeroPoint, dimension): ([Float], Int, Int) =
      switch scales {
      case .one(let scale): ([scale.scale], scale.zeroPoint, 0)
      case .rows(let scales): (scales, 0, 0)
      case .channels(let scales, let dimension): (scales, 0, dimension)
      case .int32(let scale): ([scale], 0, 0)
      }
    var node = FlatNode()
    node.set(Field.scale, floats: numbers)
    let point = UInt64(bitPattern: Int64(zeroPoint))
    node.set(Field.zeroPoint, .uint64s([UInt64](repeating: point, count: numbers.count)))
    node.set(Field.dimension, .uint32(UInt32(dimension)))
    return node
  }
}
