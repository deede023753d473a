// SPDX-License-Identifier: Apache-2.0

/// A model that was cut at its embedding: it computes features of an image, and a head of one's own can be put on it.
///
/// Equal input gives equal bytes.
package struct EmbeddingGraph: Sendable {
  /// The name of the model that was cut, for errors and descriptions.
  package let name: String
  /// The name of the embedding's tensor in the model.
  package let tensorName: String
  /// The number of numbers in the embedding.
  package let count: Int
  /// How the integers of the embedding stand for numbers; nil for a float embedding.
  package let quantization: TensorScale?
  /// How the model describes itself; nil where it does not.
  package let metadata: ModelMetadata?
  /// What makes the numbers of the input out of pixels 0…255, as the metadata say, or for a float input the beginning of
  /// the graph; nil where nothing does.
  package let normalization: Normalization?

  let parts: GraphParts
  private let shape: [Int]

  /// Checks a model, finds its embedding, and cuts it there.
  /// - Parameters:
  ///   - model: The whole model file.
  ///   - name: What errors call it.
  ///   - layer: Which numbers are the embedding.
  /// - Throws: `notAModel` and `damagedModel`; `noEmbedding` for detectors, and for graphs with several subgraphs or
  ///   inputs, with memory, of open size, without a dense end, or whose embedding has more than 16,384 numbers or is
  ///   neither float nor of 8 bits with one scale; `cannotWrite` for graphs that use parts of the format that cannot be
  ///   copied.
  package init(model: [UInt8], name: String, layer: EmbeddingLayer = .pool) throws(MetadataError) {
    do throws(MetadataError) {
      let model = try Self.repaired(model)
      let bytes = model.span
      var budget = FlatBudget()
      let graph = try SourceGraph(bytes, &budget)
      let point = try EmbeddingPoint(layer, in: graph, bytes)
      quantization = try graph.scale(of: point.tensor, in: bytes, &budget)
      parts = try GraphCut.parts(of: graph, endingAt: point.tensor, model, &budget)
      metadata = try ModelMetadata.read(bytes)
      let stated = metadata?.inputs.first?.normalization
      let isFloat = graph.tensors[graph.inputs[0]].type == GraphSchema.ElementType.float32
      normalization = isFloat && stated == nil ? try PixelScale.read(bytes)?.normalization : stated
      tensorName = graph.tensors[point.tensor].name
      count = point.count
      shape = graph.tensors[point.tensor].shape
      self.name = name
    } catch {
      throw error.naming(name)
    }
  }

  /// The cut model: its input as it was, and the embedding as its only output, which a signature calls `embedding`.
  package func bytes() -> [UInt8] { parts.bytes() }

  /// The cut model with a head on it, whose scores [1, K] are the only output; the signature calls them `scores`.
  ///
  /// It has no metadata; `classifier` adds them.
  /// Scores are float32 for a float head, else uint8 in steps of 1/256.
  /// - Throws: `cannotWrite` for a head that does not fit the embedding, or has numbers beyond 2^40.
  package func appending(_ head: LinearHead) throws(MetadataError) -> [UInt8] {
    var writer = HeadWriter(head: head, count: count, shape: shape, embedding: quantization, parts: parts)
    try writer.write()
    let model = writer.parts.bytes()
    // The scale of an embedding may be any, as a file says it.
    try ModelGraphCheck.check(model.span)
    return model
  }

  private static func repaired(_ model: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard let patch = try ModelGraphCheck.patch(model.span) else { return model }
    var repaired = [UInt8](repeating: 0, count: patch.byteCount)
    var bytes = repaired.mutableSpan
    patch.write(model.span, into: &bytes)
    // In a damaged file a number may be part of several things.
    try ModelGraphCheck.check(repaired.span)
    return repaired
  }
}

extension SourceGraph {
  /// The one scale of a tensor of 8 bits; nil for floats.
  fileprivate func scale(
    of tensor: Int, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> TensorScale? {
    let type = tensors[tensor].type
    guard type != GraphSchema.ElementType.float32 else { return nil }
    let table = try tensors[tensor].table.table(GraphSchema.Tensor.quantization, in: bytes, &budget)
    let scales = try table?.floats(GraphSchema.Quantization.scale, in: bytes, &budget) ?? []
    let points = try table?.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes) ?? .empty
    guard type == GraphSchema.ElementType.int8 || type == GraphSchema.ElementType.uint8, scales.count == 1,
      points.count == 1
    else {
      throw .noEmbedding(
        "has an embedding of the element type \(type) with \(scales.count) scales, expected float32, or int8 or uint8 with one"
      )
    }
    // `ModelGraphCheck` has compared it with the range of the type.
    let point = Int(truncatingIfNeeded: try bytes.uint64(at: points.start, "a zero point"))
    return TensorScale(
      type == GraphSchema.ElementType.int8 ? .int8 : .uint8, scale: scales[0], zeroPoint: point)
  }
}
