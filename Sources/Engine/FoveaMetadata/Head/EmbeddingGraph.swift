// SPDX-License-Identifier: Apache-2.0

/// A model cut at its embedding: it computes features of an image, to which a custom head can be added.
///
/// Equal input gives equal bytes.
package struct EmbeddingGraph: Sendable {
  /// The name of the original model, for errors and descriptions.
  package let name: String
  /// The name of the embedding's tensor in the model.
  package let tensorName: String
  /// The number of elements in the embedding.
  package let count: Int
  /// The quantisation of the embedding; nil for a float embedding.
  package let quantization: TensorScale?
  /// The model's metadata; nil if it has none.
  package let metadata: ModelMetadata?
  /// The normalisation of pixels 0…255 for the input, from the metadata or, for a float input, from the start
  /// of the graph; nil if neither shows it.
  package let normalization: Normalization?

  let parts: GraphParts
  private let shape: [Int]

  /// Checks a model, finds its embedding, and cuts the graph there.
  /// - Parameters:
  ///   - model: The whole model file.
  ///   - name: The model's name in errors.
  ///   - layer: The embedding to use.
  /// - Throws: `notAModel` and `damagedModel`; `noEmbedding` for detectors, for graphs with several subgraphs
  ///   or inputs, with state, of unknown size or without a final dense layer, and for an embedding that has
  ///   more than 16,384 numbers or is neither float nor 8-bit with one scale; `cannotWrite` for graphs with
  ///   features of the format that cannot be copied.
  package init(model: [UInt8], name: String, layer: EmbeddingLayer = .pool) throws(MetadataError) {
    do throws(MetadataError) {
      let model = try Self.repaired(model)
      let bytes = model.span
      var budget = FlatBudget()
      let graph = try SourceGraph(bytes, &budget, refusal: MetadataError.noEmbedding)
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

  /// Returns the cut model: with the original input, and the embedding as its only output, named `embedding`
  /// in the signature.
  package func bytes() -> [UInt8] { parts.bytes() }

  /// Returns the cut model with a head, whose scores [1, K] are the only output, named `scores` in the
  /// signature.
  ///
  /// It has no metadata; `classifier` adds it. Scores are float32 for a float head, else uint8 in steps of
  /// 1/256.
  /// - Throws: `cannotWrite` for a head that does not match the embedding, or has numbers beyond 2^40.
  package func appending(_ head: LinearHead) throws(MetadataError) -> [UInt8] {
    var writer = HeadWriter(head: head, count: count, shape: shape, embedding: quantization, parts: parts)
    try writer.write()
    let model = writer.parts.bytes()
    // The embedding's scale comes from the file and may have any value.
    try ModelGraphCheck.check(model.span)
    return model
  }

  private static func repaired(_ model: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard let patch = try ModelGraphCheck.patch(model.span) else { return model }
    var repaired = [UInt8](repeating: 0, count: patch.byteCount)
    var bytes = repaired.mutableSpan
    patch.write(model.span, into: &bytes)
    // In a damaged file, objects may share a number.
    try ModelGraphCheck.check(repaired.span)
    return repaired
  }
}

extension SourceGraph {
  /// Returns the only scale of an 8-bit tensor; nil for floats.
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
        "has an embedding of the element type \(type) with \(scales.count) scales, expected float32, or int8 "
          + "or uint8 with one")
    }
    // `ModelGraphCheck` has verified that it is in the range of the type.
    let point = Int(truncatingIfNeeded: try bytes.uint64(at: points.start, "a zero point"))
    return TensorScale(
      type == GraphSchema.ElementType.int8 ? .int8 : .uint8, scale: scales[0], zeroPoint: point)
  }
}
