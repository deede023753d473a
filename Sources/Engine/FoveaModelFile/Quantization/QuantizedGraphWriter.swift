// SPDX-License-Identifier: Apache-2.0

/// Writes a graph with some operators in int8.
package struct QuantizedGraphWriter {
  private let graph: FloatGraph
  private let plan: LayerPlan
  private let scales: TensorScales?
  private var parts = GraphParts()
  /// The new tensors by old tensor, as floats and as int8.
  private var floats: [Int: Int] = [:]
  private var integers: [Int: Int] = [:]
  private let outputs: Set<Int>
  /// Whether outputs are named by `name`, as names in a file need not be distinct.
  private let renamesOutputs: Bool

  private typealias Element = GraphSchema.ElementType

  /// Writes a plan.
  /// - Parameters:
  ///   - graph: The graph.
  ///   - plan: The operators in int8.
  ///   - scales: The scales of the plan; nil if all operators compute in floats.
  ///   - weights: The form of float layers' weights, and the tensors that have it; nil for float32.
  ///   - description: The description of the file.
  /// - Returns: The model file, without an archive of files.
  package static func model(
    _ graph: FloatGraph, _ plan: LayerPlan, _ scales: TensorScales?,
    weights: (form: StoredWeights, tensors: Set<Int>)? = nil, description: String?
  ) -> [UInt8] {
    var writer = QuantizedGraphWriter(graph, plan, scales, outputs: graph.outputs, renamed: false)
    if let weights { writer.store(weights.tensors, as: weights.form) }
    for place in graph.nodes.indices { writer.add(place) }
    writer.parts.outputs = graph.outputs.map { writer.float($0) }
    writer.parts.inputs = [writer.inputTensor]
    if var signature = graph.signature {
      signature.inputs = signature.inputs.map { ($0.name, writer.inputTensor) }
      signature.outputs = signature.outputs.map { ($0.name, writer.float($0.tensor)) }
      writer.parts.signature = signature
    }
    writer.parts.metadata = graph.metadata
    writer.parts.description = description
    return writer.parts.bytes()
  }

  /// Returns a model file whose outputs are some of the graph's activations as floats, named by `name`.
  package static func model(
    _ graph: FloatGraph, _ plan: LayerPlan, _ scales: TensorScales?, returning tensors: [Int]
  ) -> [UInt8] {
    var writer = QuantizedGraphWriter(graph, plan, scales, outputs: tensors, renamed: true)
    var needed = Set(tensors)
    var places: [Int] = []
    for (place, node) in graph.nodes.enumerated().reversed()
    where node.outputs.contains(where: needed.contains) {
      needed.formUnion(node.inputs)
      places.append(place)
    }
    for place in places.reversed() { writer.add(place) }
    var signature = GraphParts.Signature()
    signature.inputs = [("image", writer.inputTensor)]
    signature.outputs = tensors.map { (name(of: $0), writer.float($0)) }
    writer.parts.inputs = [writer.inputTensor]
    writer.parts.outputs = signature.outputs.map(\.tensor)
    writer.parts.signature = signature
    return writer.parts.bytes()
  }

  /// Returns the name of an output that is one of the graph's activations.
  package static func name(of tensor: Int) -> String { "t\(tensor)" }

  private init(
    _ graph: FloatGraph, _ plan: LayerPlan, _ scales: TensorScales?, outputs: [Int], renamed: Bool
  ) {
    (self.graph, self.plan, self.scales, self.outputs) = (graph, plan, scales, Set(outputs))
    renamesOutputs = renamed
    // The input is there even if no operator reads it.
    _ = isInteger(graph.input) ? integer(graph.input) : float(graph.input)
  }

  /// The model's input: int8 if there are scales.
  private var inputTensor: Int { integers[graph.input] ?? floats[graph.input] ?? 0 }

  /// Whether a tensor is first computed in int8.
  private func isInteger(_ tensor: Int) -> Bool {
    tensor == graph.input ? scales != nil : graph.makers[tensor].map { plan.isInt8[$0] } ?? false
  }

  private func scale(of tensor: Int) -> TensorScale {
    if tensor == graph.input, let scales { return scales.input.scale }
    return scales?.scales[tensor] ?? .scores(.int8)
  }

  // MARK: Tensors

  /// Returns a tensor as floats, or as what it is if it has no floats.
  private mutating func float(_ tensor: Int) -> Int {
    if let known = floats[tensor] { return known }
    let old = graph.tensors[tensor]
    let isConverted = old.isActivation && isInteger(tensor)
    let source = isConverted ? integer(tensor) : nil
    // An output keeps its name.
    let isOutput = outputs.contains(tensor)
    let name =
      isOutput && renamesOutputs
      ? Self.name(of: tensor) : isConverted && !isOutput ? old.name + "/float" : old.name
    let new = parts.add(name, shape: old.shape, type: old.type, content: old.content)
    if let source { parts.add(.dequantize, version: 2, [source], makes: new) }
    floats[tensor] = new
    return new
  }

  /// Returns an activation in int8.
  private mutating func integer(_ tensor: Int) -> Int {
    if let known = integers[tensor] { return known }
    let old = graph.tensors[tensor]
    let isFirst = isInteger(tensor)
    let source = isFirst ? nil : float(tensor)
    let name = isFirst && (tensor == graph.input || !outputs.contains(tensor)) ? old.name : old.name + "/int8"
    let new = parts.add(name, shape: old.shape, type: Element.int8, .one(scale(of: tensor)))
    if let source { parts.add(.quantize, version: 1, [source], makes: new) }
    integers[tensor] = new
    return new
  }

  /// Returns a constant in int8.
  private mutating func integer(constant tensor: Int, _ scale: TensorScale?) -> Int {
    let old = graph.tensors[tensor]
    let numbers = old.floats ?? []
    let finite = numbers.filter(\.isFinite)
    let scale = scale ?? TensorScale(.int8, holding: min(0, finite.min() ?? 0)...max(0, finite.max() ?? 0))
    let content = numbers.map { UInt8(bitPattern: scale.int8($0)) }
    return parts.add(old.name, shape: old.shape, type: Element.int8, .one(scale), content: content)
  }

  /// Adds weights of layers in a smaller form, in front of all operators.
  private mutating func store(_ tensors: Set<Int>, as form: StoredWeights) {
    for layer in plan.layers {
      let tensor = graph.weights(ofLayer: layer)
      guard tensors.contains(tensor), floats[tensor] == nil else { continue }
      let old = graph.tensors[tensor]
      let stored = form.add(
        old, channelDimension: graph.nodes[layer].kind.channelDimension, to: &parts)
      let new = parts.add(old.name, shape: old.shape, type: Element.float32)
      parts.add(.dequantize, version: form.version, [stored], makes: new)
      floats[tensor] = new
    }
  }

  // MARK: Operators

  private mutating func add(_ place: Int) {
    let node = graph.nodes[place]
    guard plan.isInt8[place] else {
      let inputs = node.inputs.map { $0 < 0 ? -1 : float($0) }
      return add(node, node.version, inputs, node.outputs.map { float($0) })
    }
    let version = max(node.version, node.kind.builtin?.int8Version ?? 1)
    let rule = OperatorRule.of(node.kind)
    if rule == .layer { return addLayer(node, version) }
    if case .clip(let ends) = rule { return addClip(node, ends) }
    let outputs = node.outputs.map { integer($0) }
    var inputs: [Int] = []
    for (index, tensor) in node.inputs.enumerated() {
      inputs.append(tensor < 0 ? -1 : input(tensor, of: place, index, rule))
    }
    add(node, version, inputs, outputs)
  }

  /// Returns an input of an operator in int8.
  private mutating func input(_ tensor: Int, of place: Int, _ index: Int, _ rule: OperatorRule) -> Int {
    let old = graph.tensors[tensor]
    guard old.type == Element.float32 else { return float(tensor) }
    let output = graph.nodes[place].outputs[0]
    guard old.isActivation else {
      return integer(constant: tensor, rule.keepsNumbers ? scale(of: output) : nil)
    }
    let source = integer(tensor)
    guard scales?.converted.contains(.init(node: place, input: index)) == true,
      scale(of: tensor) != scale(of: output)
    else { return source }
    let new = parts.add(
      "\(old.name)/\(place)", shape: old.shape, type: Element.int8, .one(scale(of: output)))
    parts.add(.quantize, version: 2, [source], makes: new)
    return new
  }

  private mutating func add(_ node: FloatGraph.Node, _ version: UInt32, _ inputs: [Int], _ outputs: [Int]) {
    let code = GraphParts.Code(number: node.kind.number, version: version, custom: node.kind.custom)
    parts.add(code, inputs, makes: outputs, node.options, customFormat: node.customFormat)
  }

  /// Adds the QUANTIZE that rounds numbers beyond an activation's ends to its ends.
  private mutating func addClip(_ node: FloatGraph.Node, _ ends: ClosedRange<Float>) {
    guard let data = node.inputs.first(where: { $0 >= 0 && graph.tensors[$0].isActivation }) else { return }
    let made = node.outputs[0]
    let old = graph.tensors[made]
    var source = integer(data)
    let range = scale(of: made).range
    let clipped = range.clamped(to: ends)
    let step = scale(of: made).scale
    if range.lowerBound < ends.lowerBound - step / 2 || range.upperBound > ends.upperBound + step / 2 {
      // Other tensors share the output's scale, which reaches further than the activation.
      let new = parts.add(
        old.name + "/clipped", shape: old.shape, type: Element.int8,
        .one(TensorScale(.int8, holding: clipped)))
      parts.add(.quantize, version: 2, [source], makes: new)
      source = new
    }
    parts.add(.quantize, version: 2, [source], makes: integer(made))
  }

  private mutating func addLayer(_ node: FloatGraph.Node, _ version: UInt32) {
    let places = OperatorRule.places(node.kind)
    let data = node.inputs[places.data]
    let old = graph.tensors[node.inputs[places.weights]]
    let hasBias = node.inputs.count > places.bias && node.inputs[places.bias] >= 0
    let offset = data == graph.input ? scales?.input.offset ?? 0 : 0
    let source = integer(data)
    let weights = LayerWeights(
      old.floats ?? [], shape: old.shape,
      channelDimension: node.kind.channelDimension,
      bias: hasBias ? graph.tensors[node.inputs[places.bias]].floats : nil, offset: offset,
      input: scale(of: data), output: scale(of: node.outputs[0]))
    var inputs = node.inputs.map { $0 < 0 ? -1 : $0 }
    for (index, tensor) in node.inputs.enumerated() where tensor >= 0 {
      switch index {
      case places.data: inputs[index] = source
      case places.weights:
        inputs[index] = parts.add(
          old.name, shape: old.shape, type: Element.int8,
          .channels(weights.scales, dimension: weights.channelDimension), content: weights.weights)
      case places.bias: break
      default: inputs[index] = float(tensor)
      }
    }
    if let bias = weights.bias {
      let name = hasBias ? graph.tensors[node.inputs[places.bias]].name : old.name + "/bias"
      let new = parts.add(
        name, shape: [bias.count], type: Element.int32,
        .rows(weights.scales.map { $0 * scale(of: data).scale }), content: TensorBytes.of(bias))
      if inputs.count > places.bias { inputs[places.bias] = new } else { inputs.append(new) }
    }
    add(node, version, inputs, [integer(node.outputs[0])])
  }
}

extension TensorScale {
  /// The values of the least and the largest int8 number.
  var range: ClosedRange<Float> {
    let (low, high) = (scale * Float(-128 - zeroPoint), scale * Float(127 - zeroPoint))
    return low...max(low, high)
  }

  /// Returns the nearest int8 number of a value.
  package func int8(_ value: Float) -> Int8 {
    guard !value.isNaN else { return 0 }
    return Int8(max(-128, min(127, (value / scale).rounded() + Float(zeroPoint))))
  }
}
