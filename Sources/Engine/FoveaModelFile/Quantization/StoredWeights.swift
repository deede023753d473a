// SPDX-License-Identifier: Apache-2.0

/// A form in which a float model's weights take less space; the model computes in floats as before.
package enum StoredWeights: String, Sendable, CaseIterable {
  /// Half the size.
  case float16
  /// A quarter of the size: int8 with a scale for each output channel.
  case int8

  /// Stores weights behind DEQUANTIZE operators.
  /// - Parameter model: The whole model file.
  /// - Returns: The model file, without an archive of files.
  /// - Throws: `alreadyQuantized` for a graph with such weights; `notQuantizable` for one that cannot be
  ///   rewritten; `cannotWrite`, `notAModel` or `damagedModel`.
  package func model(_ model: [UInt8]) throws(MetadataError) -> [UInt8] {
    let graph = try FloatGraph(model)
    let plan = try LayerPlan(graph)
    if self == .float16, plan.layers.allSatisfy({ graph.halves.contains(graph.weights(ofLayer: $0)) }) {
      throw .storesWeights(as: rawValue)
    }
    let text = [graph.description, "Weights stored as \(rawValue) by Fovea \(FoveaVersion.current)"]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ". ")
    let result = QuantizedGraphWriter.model(
      graph, LayerPlan(like: plan), nil, weights: self, description: text)
    try ModelGraphCheck.check(result.span)
    return result
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
