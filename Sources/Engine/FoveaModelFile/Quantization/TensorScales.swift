// SPDX-License-Identifier: Apache-2.0

/// The scales of all tensors that int8 operators read or write.
///
/// Rules that demand equal scales join tensors into groups; a group's range is that of all numbers in it.
package struct TensorScales: Sendable {
  /// An input of an operator that is converted to the scale of the operator's output.
  struct Place: Hashable, Sendable {
    let node: Int
    let input: Int
  }

  /// The scale of the model's input, and the range of its values.
  package struct Input: Sendable, Hashable {
    package var scale: TensorScale
    package var range: ClosedRange<Double>
    /// The number to add to an input's value for the exact one: the zero of some normalisations lies between
    /// two bytes.
    package var offset: Float

    package init(_ scale: TensorScale, range: ClosedRange<Double>, offset: Float = 0) {
      self.scale = scale
      self.range = range
      self.offset = offset
    }
  }

  package private(set) var scales: [Int: TensorScale] = [:]
  private(set) var converted: Set<Place> = []
  let input: Input
  private var parents: [Int]
  private var fixed: [Int: TensorScale] = [:]
  /// The tensors whose numbers are in a group, by its root.
  private var sources: [Int: Set<Int>] = [:]

  /// Chooses the scales of a plan.
  /// - Parameters:
  ///   - graph: The graph.
  ///   - plan: The operators in int8.
  ///   - input: The scale of the model's input.
  ///   - range: Returns the best range for the numbers of some tensors together, all from `recorded`.
  package init(
    _ graph: FloatGraph, _ plan: LayerPlan, input: Input, range: (Set<Int>) -> ClosedRange<Double>
  ) {
    self.input = input
    parents = Array(graph.tensors.indices)
    let known = Self.knownRanges(graph, input)
    /// The range of a group's numbers.
    func rangeOf(_ tensors: Set<Int>) -> ClosedRange<Double> {
      let measured = tensors.filter { known[$0] == nil }
      let exact = tensors.compactMap { known[$0]?.range }
      return Self.hull(exact + (measured.isEmpty ? [] : [range(measured)]))
    }
    for tensor in graph.tensors.indices {
      if let known = known[tensor] { fixed[tensor] = known.scale }
    }
    let origins = Self.origins(graph)
    for (place, node) in graph.nodes.enumerated() where plan.isInt8[place] {
      let rule = OperatorRule.of(node.kind)
      let tensors = graph.activations(node)
      for tensor in tensors where sources[root(tensor)] == nil { sources[root(tensor)] = origins[tensor] }
      guard rule.keepsNumbers else { continue }
      let whole = rangeOf(tensors.reduce(into: []) { $0.formUnion(sources[root($1)] ?? []) })
      var group = root(node.outputs[0])
      for output in node.outputs.dropFirst() { group = join(group, output) }
      for (index, tensor) in node.inputs.enumerated() where tensors.contains(tensor) {
        let own = rangeOf(sources[root(tensor)] ?? [])
        let isShared = graph.readers[tensor].count > 1
        let isNarrow = rule == .concatenation && isShared && Self.width(own) < Self.width(whole) / 2
        let isOther =
          fixed[root(tensor)] != nil && fixed[root(tensor)] != fixed[group]
          && !Self.isSole(tensor, of: node, in: graph)
        if isNarrow || isOther {
          converted.insert(Place(node: place, input: index))
          sources[group, default: []].formUnion(sources[root(tensor)] ?? [])
        } else {
          group = join(group, tensor)
        }
      }
    }
    finish(graph, plan, rangeOf)
  }

  private mutating func finish(
    _ graph: FloatGraph, _ plan: LayerPlan, _ range: (Set<Int>) -> ClosedRange<Double>
  ) {
    var groups: [Int: TensorScale] = [:]
    for (place, node) in graph.nodes.enumerated() where plan.isInt8[place] {
      for tensor in graph.activations(node) {
        let group = root(tensor)
        if groups[group] == nil {
          groups[group] = fixed[group] ?? TensorScale(holding: range(sources[group] ?? []))
        }
        scales[tensor] = groups[group]
      }
    }
  }

  /// Verifies that float32 holds the scales and their products, as kernels compute them.
  /// - Throws: `notQuantizable` with the tensor whose numbers are too large.
  package func check(_ graph: FloatGraph, _ plan: LayerPlan) throws(MetadataError) {
    for (place, node) in graph.nodes.enumerated() where plan.isInt8[place] {
      for tensor in graph.activations(node).sorted() {
        guard let scale = scales[tensor]?.scale else { continue }
        try Self.check([scale], of: graph.tensors[tensor].name)
      }
      if OperatorRule.of(node.kind) == .layer {
        try checkLayer(place, graph)
      } else {
        for tensor in node.inputs where tensor >= 0 {
          try Self.check([graph.tensors[tensor].largest / 127], of: graph.tensors[tensor].name)
        }
      }
    }
  }

  private func checkLayer(_ place: Int, _ graph: FloatGraph) throws(MetadataError) {
    let node = graph.nodes[place]
    let places = OperatorRule.places(node.kind)
    func largest(_ place: Int) -> Float {
      guard node.inputs.indices.contains(place), node.inputs[place] >= 0 else { return 0 }
      return graph.tensors[node.inputs[place]].largest
    }
    let data = node.inputs[places.data]
    let source = data == graph.input ? input.scale : scales[data] ?? input.scale
    let made = scales[node.outputs[0]] ?? source
    let finest = ChannelScale.finest(
      largest(places.weights) / 127, bias: largest(places.bias), input: source, output: made)
    let product = finest * source.scale
    try Self.check([finest, product, product / made.scale], of: graph.layerName(place))
  }

  private static func check(_ scales: [Float], of name: String) throws(MetadataError) {
    guard let large = scales.first(where: { !($0 <= ChannelScale.largest) }) else { return }
    throw MetadataError(
      .notQuantizable,
      "has numbers that are too large for int8 in '\(name.printable)': a step of \(large), expected at most "
        + "\(ChannelScale.largest)",
      remedy: "Check how the model was exported, or copy or download the file again")
  }

  /// Whether an operator reads no other tensor of floats than one.
  private static func isSole(_ tensor: Int, of node: FloatGraph.Node, in graph: FloatGraph) -> Bool {
    node.inputs.allSatisfy { $0 < 0 || $0 == tensor || !graph.tensors[$0].isActivation }
  }

  /// Returns the tensors whose ranges must be measured: those that an operator computes itself.
  package static func recorded(_ graph: FloatGraph, _ plan: LayerPlan) -> [Int] {
    let known = knownRanges(graph, Input(.scores(.int8), range: 0...1))
    let origins = origins(graph)
    var needed: Set<Int> = []
    for (place, node) in graph.nodes.enumerated() where plan.isInt8[place] {
      for tensor in graph.activations(node) { needed.formUnion(origins[tensor] ?? []) }
    }
    return needed.filter { known[$0] == nil }.sorted()
  }

  /// Returns the tensors from which each activation has its numbers: itself, unless its operator keeps them.
  private static func origins(_ graph: FloatGraph) -> [Int: Set<Int>] {
    var origins: [Int: Set<Int>] = [graph.input: [graph.input]]
    for node in graph.nodes {
      let keeps = OperatorRule.of(node.kind).keepsNumbers && graph.hasInt8(node)
      let kept = node.inputs.reduce(into: Set<Int>()) { $0.formUnion(origins[$1] ?? []) }
      for output in node.outputs where graph.tensors[output].isActivation {
        origins[output] = keeps ? kept : [output]
      }
    }
    return origins
  }

  /// Returns the scales and ranges that do not depend on photos.
  private static func knownRanges(
    _ graph: FloatGraph, _ input: Input
  ) -> [Int: (scale: TensorScale, range: ClosedRange<Double>)] {
    var known = [graph.input: (scale: input.scale, range: input.range)]
    for node in graph.nodes {
      guard case .fixed(let scale) = OperatorRule.of(node.kind) else { continue }
      let low = scale.zeroPoint == 0 ? -1.0 : 0
      for output in node.outputs { known[output] = (scale, low...1) }
    }
    return known
  }

  private static func hull(_ ranges: [ClosedRange<Double>]) -> ClosedRange<Double> {
    ranges.reduce(0...0) { min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound) }
  }

  private static func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  private func root(_ tensor: Int) -> Int {
    var tensor = tensor
    while parents[tensor] != tensor { tensor = parents[tensor] }
    return tensor
  }

  /// Joins two groups and returns the root; a fixed scale holds for both.
  private mutating func join(_ first: Int, _ second: Int) -> Int {
    let (kept, gone) = (root(first), root(second))
    guard kept != gone else { return kept }
    parents[gone] = kept
    if let scale = fixed.removeValue(forKey: gone) { fixed[kept] = scale }
    sources[kept, default: []].formUnion(sources.removeValue(forKey: gone) ?? [])
    return kept
  }
}

extension TensorScale {
  /// Creates the finest int8 scale that covers a range of numbers and 0; 1 for a range of only 0, as of
  /// activations that no photo excites: kernels cannot divide by a tiny one.
  package init(holding range: ClosedRange<Double>) {
    guard range.lowerBound < 0 || range.upperBound > 0 else {
      self.init(.int8, scale: 1, zeroPoint: 0)
      return
    }
    let limit = Double(Float.greatestFiniteMagnitude)
    self.init(
      .int8, holding: Float(max(-limit, range.lowerBound))...Float(min(limit, range.upperBound)))
  }
}

extension FloatGraph.Tensor {
  /// The largest magnitude of its numbers; 0 for a tensor that is not a float32 constant.
  var largest: Float { floats?.reduce(0) { max($0, abs($1)) } ?? 0 }
}

extension FloatGraph {
  /// The computed floats that an operator reads and writes, each once.
  func activations(_ node: Node) -> Set<Int> {
    Set((node.inputs + node.outputs).filter { $0 >= 0 && tensors[$0].isActivation })
  }
}
