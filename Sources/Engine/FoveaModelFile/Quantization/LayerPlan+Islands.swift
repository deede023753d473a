// SPDX-License-Identifier: Apache-2.0

extension LayerPlan {
  /// The least products per converted number for which int8 is faster than float.
  ///
  /// Between float operators, int8 also needs a QUANTIZE in front and a DEQUANTIZE behind. Measured with
  /// LiteRT 2.3 on a processor with AVX-512 and VNNI, one thread: depthwise convolutions of 3 × 3 (4.5
  /// products per converted number) and convolutions of one pixel and 16 channels (8) are 1.1 to 1.5 times
  /// slower, depthwise ones of 5 × 5 (12.5) are equal, and those of one pixel and 32 channels (16) take 0.63
  /// of the time.
  static let leastProducts = 12

  /// Makes operators float that int8 would not make faster or that would only be rounded once more.
  mutating func settle(_ graph: FloatGraph, _ chosen: Set<Int>) {
    var isDone = false
    while !isDone { isDone = !spread(graph, chosen) && !dropSmallParts(graph) }
  }

  /// Makes operators float that are between float ones, so that nothing is rounded there, and those for which
  /// no more numbers are converted in float; returns whether there were any.
  private mutating func spread(_ graph: FloatGraph, _ chosen: Set<Int>) -> Bool {
    let isLayer = Set(layers)
    var hasChanged = false
    for place in graph.nodes.indices where isInt8[place] && !isLayer.contains(place) {
      let node = graph.nodes[place]
      let sources = node.inputs.filter { $0 >= 0 && graph.tensors[$0].content == nil }
      let areMade = !sources.isEmpty && sources.allSatisfy { graph.makers[$0].map { !isInt8[$0] } ?? false }
      let readers = node.outputs.flatMap { graph.readers[$0] }
      let areRead = readers.allSatisfy { !isInt8[$0] } && readers.contains(where: chosen.contains)
      guard areMade || areRead || convertsNoMore(place, graph) else { continue }
      isInt8[place] = false
      hasChanged = true
    }
    return hasChanged
  }

  /// Whether no more numbers are converted if an operator computes in float.
  private func convertsNoMore(_ place: Int, _ graph: FloatGraph) -> Bool {
    let node = graph.nodes[place]
    var (int8, float) = (0, 0)
    var hasFloats = false
    for tensor in Set(node.inputs) where tensor >= 0 && graph.tensors[tensor].isActivation {
      let others = graph.readers[tensor].filter { $0 != place }
      if isMadeInInt8(tensor, graph) {
        if others.allSatisfy({ isInt8[$0] }) { float += graph.tensors[tensor].count }
      } else {
        hasFloats = true
        if others.allSatisfy({ !isInt8[$0] }) { int8 += graph.tensors[tensor].count }
      }
    }
    for tensor in node.outputs {
      if isReadInFloat(tensor, graph) { int8 += graph.tensors[tensor].count }
      if graph.readers[tensor].contains(where: { isInt8[$0] }) { float += graph.tensors[tensor].count }
    }
    // If as many are converted, numbers that are floats are not rounded.
    return hasFloats ? float <= int8 : float < int8
  }

  /// Makes connected int8 operators float that have few products for the numbers that they convert; returns
  /// whether there were any.
  private mutating func dropSmallParts(_ graph: FloatGraph) -> Bool {
    var hasChanged = false
    var isSeen = isInt8.map { !$0 }
    for start in graph.nodes.indices where !isSeen[start] {
      var part: [Int] = []
      var open = [start]
      isSeen[start] = true
      while let place = open.popLast() {
        part.append(place)
        let node = graph.nodes[place]
        let makers = node.inputs.compactMap { graph.makers[$0] }
        for next in makers + node.outputs.flatMap({ graph.readers[$0] }) where !isSeen[next] {
          isSeen[next] = true
          open.append(next)
        }
      }
      guard isSmall(part, graph) else { continue }
      for place in part { isInt8[place] = false }
      hasChanged = true
    }
    return hasChanged
  }

  private func isSmall(_ part: [Int], _ graph: FloatGraph) -> Bool {
    var converted: Set<Int> = []
    for node in part.map({ graph.nodes[$0] }) {
      for tensor in node.inputs where tensor >= 0 && graph.tensors[tensor].isActivation {
        if !isMadeInInt8(tensor, graph) { converted.insert(tensor) }
      }
      for tensor in node.outputs where isReadInFloat(tensor, graph) { converted.insert(tensor) }
    }
    let numbers = converted.reduce(0.0) { $0 + Double(graph.tensors[$1].count) }
    let products = part.reduce(0.0) { $0 + graph.products(of: graph.nodes[$1]) }
    return products < Double(Self.leastProducts) * numbers
  }

  /// Whether a tensor is first computed in int8, as the model's input is.
  private func isMadeInInt8(_ tensor: Int, _ graph: FloatGraph) -> Bool {
    tensor == graph.input || graph.makers[tensor].map { isInt8[$0] } ?? false
  }

  private func isReadInFloat(_ tensor: Int, _ graph: FloatGraph) -> Bool {
    graph.outputs.contains(tensor) || graph.readers[tensor].contains { !isInt8[$0] }
  }
}

extension FloatGraph {
  /// The number of multiplications of a layer; 0 for other operators.
  fileprivate func products(of node: Node) -> Double {
    guard isLayer(node) else { return 0 }
    let places = OperatorRule.places(node.kind)
    let weights = tensors[node.inputs[places.weights]]
    if node.kind.builtin == .transposeConv {
      // Each number of the input is multiplied with the weights of its channel, the last dimension.
      return Double(tensors[node.inputs[places.data]].count) * Double(weights.count)
        / Double(max(weights.shape.last ?? 1, 1))
    }
    return Double(tensors[node.outputs[0]].count) * Double(weights.count)
      / Double(max(weights.shape[node.kind.channelDimension], 1))
  }
}
