// SPDX-License-Identifier: Apache-2.0

/// A form in which a float model's weights take less space; the model computes in floats as before.
package enum StoredWeights: String, Sendable, CaseIterable {
  /// Half the size.
  case float16
  /// A quarter of the size: int8 with a scale for each output channel.
  case int8

  /// Stores weights behind DEQUANTIZE operators.
  /// - Parameter model: The whole model file.
  /// - Returns: The model file, without an archive of files, and the names of the weights that stay float32
  ///   because this form cannot hold their numbers, in the order of the graph.
  /// - Throws: `alreadyQuantized` for a graph with such weights; `notQuantizable` for one that cannot be
  ///   rewritten, with weights that are not finite, or without any that this form can hold; `cannotWrite`,
  ///   `notAModel` or `damagedModel`.
  package func model(
    _ model: [UInt8]
  ) throws(MetadataError) -> (bytes: [UInt8], floatWeights: [String]) {
    let graph = try FloatGraph(model)
    let plan = try LayerPlan(graph)
    try plan.checkConstants(of: graph)
    var (stored, float): (Set<Int>, [Int]) = ([], [])
    for layer in plan.weightLayers(of: graph) {
      let tensor = graph.weights(ofLayer: layer)
      if holds(tensor, of: graph, graph.nodes[layer].kind.channelDimension) {
        stored.insert(tensor)
      } else {
        float.append(tensor)
      }
    }
    guard !stored.isEmpty else {
      let first = graph.tensors[float[0]]
      let reason =
        range.contains(first.largest)
        ? ", and others would become 0" : ", expected \(range.lowerBound) to \(range.upperBound)"
      throw MetadataError(
        .notQuantizable,
        "has no weights that \(rawValue) can hold: the largest of '\(first.name.printable)' is "
          + "\(first.largest)\(reason)",
        remedy: "Keep the file")
    }
    if self == .float16, stored.isSubset(of: graph.halves) { throw .storesWeights(as: rawValue) }
    let text = [graph.description, "Weights stored as \(rawValue) by Fovea \(FoveaVersion.current)"]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ". ")
    let result = QuantizedGraphWriter.model(
      graph, LayerPlan(like: plan), nil, weights: (self, stored), description: text)
    try ModelGraphCheck.check(result.span)
    return (result, float.map { graph.tensors[$0].name })
  }

  /// The least normal number of float16.
  private static let leastNormal: Float = 0x1p-14
  /// The ratio of the largest weight of a channel and another from which int8 hides that one.
  ///
  /// int8 has 127 steps, so a trained channel may lose most of its numbers next to one that is some hundred
  /// times larger, with the same answers; no channel of 755 layers of image models loses half of them next to
  /// one that is 4,096 times larger.
  private static let hidingRatio: Float = 0x1p12

  /// The largest magnitudes of weights that keep their numbers in this form.
  private var range: ClosedRange<Float> {
    switch self {
    // Below its least normal number, float16 has fewer than 11 bits; weights of 1e-9 would all become 0.
    case .float16: Self.leastNormal...65_504
    case .int8: 127 * 0x1p-100...127 * ChannelScale.largest
    }
  }

  /// Whether this form holds the weights of a tensor almost exactly.
  private func holds(_ tensor: Int, of graph: FloatGraph, _ channelDimension: Int) -> Bool {
    // A float16 of the file becomes the same float16.
    if self == .float16, graph.halves.contains(tensor) { return true }
    let tensor = graph.tensors[tensor]
    let largest = tensor.largest
    guard largest == 0 || range.contains(largest) else { return false }
    return self == .float16 || largest < Self.leastNormal * Self.hidingRatio
      || !Self.hidesNumbers(tensor, channelDimension)
  }

  /// Returns whether the largest number of a channel hides most others, which would become 0 in int8.
  ///
  /// If all inputs are alike, the largest decides. So the others matter only if its input is nearly 0, and
  /// then they decide.
  private static func hidesNumbers(_ tensor: FloatGraph.Tensor, _ channelDimension: Int) -> Bool {
    let numbers = tensor.floats ?? []
    let count = max(tensor.shape[channelDimension], 1)
    let size = numbers.count / count
    return (0..<count).contains { channel in
      let places =
        channelDimension == 0
        ? stride(from: channel * size, to: (channel + 1) * size, by: 1)
        : stride(from: channel, to: numbers.count, by: count)
      let largest = places.reduce(0) { max($0, abs(numbers[$1])) }
      let hidden = places.count {
        abs(numbers[$0]) >= leastNormal && abs(numbers[$0]) < largest / hidingRatio
      }
      return 2 * hidden > size
    }
  }

  /// The first version of DEQUANTIZE that reads the weights.
  var version: UInt32 { self == .float16 ? 3 : 5 }

  /// Adds a layer's weights and returns their index.
  func add(_ tensor: FloatGraph.Tensor, channelDimension: Int, to parts: inout GraphParts) -> Int {
    let numbers = tensor.floats ?? []
    let name = "\(tensor.name)/\(rawValue)"
    guard self == .int8 else {
      return parts.add(
        name, shape: tensor.shape, type: GraphSchema.ElementType.float16,
        content: TensorBytes.of(numbers.map(Binary16.bits)))
    }
    let one = TensorScale(.int8, scale: 1, zeroPoint: 0)
    let weights = LayerWeights(
      numbers, shape: tensor.shape, channelDimension: channelDimension, bias: nil, offset: 0, input: one,
      output: TensorScale(.int8, scale: 0x1p-100, zeroPoint: 0))
    return parts.add(
      name, shape: tensor.shape, type: GraphSchema.ElementType.int8,
      .channels(weights.scales, dimension: channelDimension), content: weights.weights)
  }
}

extension MetadataError {
  /// Returns the error of a graph whose weights are stored in a smaller form already.
  static func storesWeights(as form: String) -> MetadataError {
    MetadataError(
      .alreadyQuantized, "stores its weights as \(form) already",
      remedy: form == StoredWeights.float16.rawValue
        ? "Keep the file, or give photos for an int8 model" : "Use the float model")
  }
}
