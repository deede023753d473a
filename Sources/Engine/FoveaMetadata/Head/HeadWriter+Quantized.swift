// SPDX-License-Identifier: Apache-2.0

extension HeadWriter {
  /// Writes a head in int8, and an operator that converts its scores to uint8.
  mutating func writeInt8(_ embedding: TensorScale) -> Int {
    let type = GraphSchema.ElementType.int8
    let logitScale = TensorScale(.int8, holding: head.logitRange)
    let matrix = QuantizedWeights.rows(head, count: count, input: embedding, output: logitScale)
    let weights = parts.add(
      "head/weights", shape: [head.classCount, count], type: type, .rows(matrix.scales),
      content: matrix.weights)
    let bias = parts.add(
      "head/bias", shape: [head.classCount], type: GraphSchema.ElementType.int32,
      .rows(matrix.scales.map { $0 * embedding.scale }), content: TensorBytes.of(matrix.bias))
    let logits = parts.add("logits", shape: [1, head.classCount], type: type, .one(logitScale))
    // The first version that supports a scale per class.
    dense([features, weights, bias], version: 12, makes: logits)
    let signed = parts.add("scores/int8", shape: [1, head.classCount], type: type, .one(.scores(.int8)))
    activate(logits, version: 2, makes: signed)
    let scores = parts.add(
      "scores", shape: [1, head.classCount], type: GraphSchema.ElementType.uint8, .one(.scores(.uint8)))
    parts.add(.quantize, version: 1, [signed], makes: scores)
    return scores
  }

  /// Writes a head in uint8, as AutoML did.
  mutating func writeUInt8(_ embedding: TensorScale) -> Int {
    let type = GraphSchema.ElementType.uint8
    let logitScale = TensorScale(.uint8, holding: head.logitRange)
    let matrix = QuantizedWeights.matrix(head, count: count, input: embedding, output: logitScale)
    let scale = TensorScale(.uint8, scale: matrix.scales[0], zeroPoint: matrix.zeroPoint)
    let weights = parts.add(
      "head/weights", shape: [head.classCount, count], type: type, .one(scale), content: matrix.weights)
    let bias = parts.add(
      "head/bias", shape: [head.classCount], type: GraphSchema.ElementType.int32,
      .int32(scale.scale * embedding.scale), content: TensorBytes.of(matrix.bias))
    let logits = parts.add("logits", shape: [1, head.classCount], type: type, .one(logitScale))
    dense([features, weights, bias], version: 1, makes: logits)
    let scores = parts.add("scores", shape: [1, head.classCount], type: type, .one(.scores(.uint8)))
    activate(logits, version: 1, makes: scores)
    return scores
  }
}
