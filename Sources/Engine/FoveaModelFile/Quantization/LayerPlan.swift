// SPDX-License-Identifier: Apache-2.0

/// The division of a graph into operators in int8 and in float.
package struct LayerPlan: Sendable {
  /// The operators that are layers, in the order of the graph.
  package let layers: [Int]
  /// Whether each operator belongs to the tail, from which no layer can be reached: the decoding.
  package let isTail: [Bool]
  /// Whether each operator computes in int8.
  package internal(set) var isInt8: [Bool]

  /// Plans a graph.
  /// - Parameters:
  ///   - graph: The graph.
  ///   - float: The layers that stay float.
  /// - Throws: `notQuantizable` for a graph without a layer, `alreadyQuantized` if its weights are integers.
  package init(_ graph: FloatGraph, float: Set<Int> = []) throws(MetadataError) {
    let nodes = graph.nodes
    layers = nodes.indices.filter { graph.isLayer(nodes[$0]) }
    guard !layers.isEmpty else {
      if graph.hasIntegerWeights { throw .storesWeights(as: "int8") }
      throw .notQuantizable(
        "has no layer with at least \(OperatorRule.leastWeights) constant float weights")
    }
    isTail = Self.tail(of: graph, layers)
    isInt8 = nodes.indices.map { [isTail] in !isTail[$0] && !float.contains($0) && graph.hasInt8(nodes[$0]) }
    settle(graph, float)
  }

  /// Plans a graph with one layer in int8, and the activations that read its output.
  package init(of layer: Int, in graph: FloatGraph, like plan: LayerPlan) {
    self.init(like: plan, int8: [layer])
    var reached: Set<Int> = Set(graph.nodes[layer].outputs)
    for place in layer + 1..<max(layer + 1, graph.nodes.count) {
      let node = graph.nodes[place]
      guard node.kind.isActivation, !isTail[place], graph.hasInt8(node),
        node.inputs.allSatisfy({ $0 < 0 || reached.contains($0) || graph.tensors[$0].content != nil })
      else { continue }
      isInt8[place] = true
      reached.formUnion(node.outputs)
    }
  }

  /// Creates a plan of the same graph in which only some operators compute in int8, as they are.
  package init(like plan: LayerPlan, int8: Set<Int> = []) {
    (layers, isTail) = (plan.layers, plan.isTail)
    isInt8 = plan.isInt8.indices.map(int8.contains)
  }

  /// Returns the operators from which no layer can be reached.
  private static func tail(of graph: FloatGraph, _ layers: [Int]) -> [Bool] {
    var isTail = [Bool](repeating: true, count: graph.nodes.count)
    for layer in layers { isTail[layer] = false }
    // Operators are in order, so one pass from the end suffices.
    for place in graph.nodes.indices.reversed() where isTail[place] {
      let readers = graph.nodes[place].outputs.flatMap { graph.readers[$0] }
      if readers.contains(where: { !isTail[$0] }) { isTail[place] = false }
    }
    return isTail
  }

  /// The layers that compute in int8.
  package var int8Layers: [Int] { layers.filter { isInt8[$0] } }

  /// Returns the first layer of each tensor of weights, in the order of the graph.
  func weightLayers(of graph: FloatGraph) -> [Int] {
    var known: Set<Int> = []
    return layers.filter { known.insert(graph.weights(ofLayer: $0)).inserted }
  }

  /// The operators that choose or compare numbers, so that an infinite constant is a bound.
  private static let choosers: Set<BuiltinOperator?> = [
    .maximum, .minimum, .padV2, .select, .selectV2, .greater, .greaterEqual, .less, .lessEqual,
  ]

  /// Verifies that the constants that operators compute with are finite, whatever their size, as an integer
  /// for NaN or infinity would be an answer.
  /// - Throws: `notQuantizable` with the first tensor that has another number.
  package func checkConstants(of graph: FloatGraph) throws(MetadataError) {
    var known: Set<Int> = []
    for node in graph.nodes {
      let mayBeInfinite = Self.choosers.contains(node.kind.builtin)
      for tensor in node.inputs where tensor >= 0 && (mayBeInfinite || known.insert(tensor).inserted) {
        guard
          let number = graph.tensors[tensor].floats?.first(where: { mayBeInfinite ? $0.isNaN : !$0.isFinite })
        else { continue }
        let noun = OperatorRule.of(node.kind) == .layer ? "weights" : "constants"
        throw MetadataError(
          .notQuantizable,
          "has \(noun) that are not finite in '\(graph.tensors[tensor].name.printable)': \(number)",
          remedy: "Check how the model was exported, or copy or download the file again")
      }
    }
  }

  /// The number of layers that compute in float.
  package var floatLayerCount: Int { layers.count { !isInt8[$0] } }

  /// The layers that no other layer follows.
  package func lastLayers(of graph: FloatGraph) -> Set<Int> {
    Set(layers.filter { graph.nodes[$0].outputs.flatMap { graph.readers[$0] }.allSatisfy { isTail[$0] } })
  }

  /// The tensors at which the tail, or the caller, reads what int8 operators may make.
  package func boundary(of graph: FloatGraph) -> [Int] {
    let outputs = Set(graph.outputs)
    return graph.nodes.flatMap(\.outputs).filter { tensor in
      guard let maker = graph.makers[tensor], !isTail[maker], graph.tensors[tensor].isActivation else {
        return false
      }
      return outputs.contains(tensor) || graph.readers[tensor].contains { isTail[$0] }
    }
  }

  /// The operators in front of the tail that compute in float in any plan, by reason and name.
  package func islands(of graph: FloatGraph) -> [Island] {
    var counts: [Island: Int] = [:]
    for (place, node) in graph.nodes.enumerated() where !isTail[place] && !graph.hasInt8(node) {
      guard node.outputs.contains(where: { graph.tensors[$0].isActivation }),
        node.inputs.contains(where: { $0 >= 0 && graph.tensors[$0].content == nil })
      else { continue }
      counts[Island(graph.floatReason(node), "\(node.kind)", 0), default: 0] += 1
    }
    return counts.map { Island($0.key.reason, $0.key.name, $0.value) }
      .sorted { ($0.reason.rawValue, $0.name) < ($1.reason.rawValue, $1.name) }
  }

  /// Operators of one name that compute in float for one reason.
  package struct Island: Sendable, Hashable {
    package let reason: FloatReason
    package let name: String
    package let count: Int

    package init(_ reason: FloatReason, _ name: String, _ count: Int) {
      (self.reason, self.name, self.count) = (reason, name, count)
    }
  }

  /// The reason why an operator computes in float in any plan.
  package enum FloatReason: String, Sendable {
    /// It would be a layer, but for its weights or its bias, which are computed.
    case computedWeights = "computed-weights"
    /// It would be a layer with more weights.
    case fewWeights = "few-weights"
    /// No rule computes it in int8, or none as fast.
    case noInt8Form = "no-int8-form"

    /// The operators with this reason, for people.
    package var text: String {
      switch self {
      case .computedWeights: "operators with weights or a bias that are computed"
      case .fewWeights: "operators with fewer than \(OperatorRule.leastWeights) weights"
      case .noInt8Form: "operators without a fast int8 form"
      }
    }
  }
}

extension FloatGraph {
  /// Whether an operator is a layer: a product with enough constant weights.
  package func isLayer(_ node: Node) -> Bool {
    guard OperatorRule.of(node.kind) == .layer else { return false }
    let places = OperatorRule.places(node.kind)
    guard node.inputs.count > max(places.data, places.weights), node.outputs.count == 1,
      node.inputs[places.data] >= 0, node.inputs[places.weights] >= 0
    else { return false }
    let weights = tensors[node.inputs[places.weights]]
    let dimension = node.kind.channelDimension
    guard weights.content?.count == 4 * weights.count, weights.type == GraphSchema.ElementType.float32,
      weights.count >= OperatorRule.leastWeights, weights.shape.indices.contains(dimension),
      tensors[node.inputs[places.data]].isActivation, tensors[node.outputs[0]].isActivation
    else { return false }
    guard node.inputs.count > places.bias, node.inputs[places.bias] >= 0 else { return true }
    let bias = tensors[node.inputs[places.bias]]
    return bias.type == GraphSchema.ElementType.float32
      && bias.content?.count == 4 * weights.shape[dimension]
  }

  /// Whether a rule computes an operator in int8: its floats must be activations, or constants with numbers.
  package func hasInt8(_ node: Node) -> Bool {
    typealias Element = GraphSchema.ElementType
    switch OperatorRule.of(node.kind) {
    case .float: return false
    case .layer: return isLayer(node)
    default:
      let floats = node.inputs.filter { $0 >= 0 && tensors[$0].type == Element.float32 }
      return floats.contains { tensors[$0].isActivation }
        && node.outputs.allSatisfy { tensors[$0].isActivation }
        && floats.allSatisfy { tensors[$0].content.map { $0.count % 4 == 0 } ?? true }
        && node.inputs.allSatisfy { $0 < 0 || ![Element.float16, Element.int64].contains(tensors[$0].type) }
    }
  }

  /// Returns why an operator without an int8 form is float.
  fileprivate func floatReason(_ node: Node) -> LayerPlan.FloatReason {
    guard OperatorRule.of(node.kind) == .layer else { return .noInt8Form }
    let place = OperatorRule.places(node.kind).weights
    guard node.inputs.indices.contains(place), node.inputs[place] >= 0,
      tensors[node.inputs[place]].content != nil
    else { return .computedWeights }
    return tensors[node.inputs[place]].count < OperatorRule.leastWeights ? .fewWeights : .computedWeights
  }

  /// The name of a layer: that of its output, in front of an activation that is fused with it.
  package func layerName(_ layer: Int) -> String {
    tensors[nodes[layer].label ?? nodes[layer].outputs[0]].name
  }

  /// Returns the tensor of a layer's weights.
  package func weights(ofLayer layer: Int) -> Int {
    nodes[layer].inputs[OperatorRule.places(nodes[layer].kind).weights]
  }

  /// Returns the tensors that depend on an operator.
  package func reached(from place: Int) -> Set<Int> {
    var reached = Set(nodes[place].outputs)
    for node in nodes.dropFirst(place + 1) where node.inputs.contains(where: reached.contains) {
      reached.formUnion(node.outputs)
    }
    return reached
  }
}
