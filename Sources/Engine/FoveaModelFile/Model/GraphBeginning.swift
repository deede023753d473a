// SPDX-License-Identifier: Apache-2.0

/// The operators at the start of a graph, with their constants.
struct GraphBeginning {
  struct Node {
    let kind: BuiltinOperator?
    let inputs: [Int]
    let outputs: [Int]
  }

  let inputs: [Int]
  private let tensors: [FlatTable]
  private let buffers: [FlatTable]
  private let nodes: [Node]
  private var budget: FlatBudget

  /// Reads the operators of the first subgraph; returns nil if the file has no subgraph.
  init?(_ bytes: Span<UInt8>) throws(MetadataError) {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else { return nil }
    var kinds: [BuiltinOperator?] = []
    for code in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      kinds.append(BuiltinOperator(rawValue: try code.operatorNumber(in: bytes)))
    }
    tensors = try main.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget)
    buffers = try root.tables(ModelFile.Field.buffers, in: bytes, &budget)
    inputs = try main.int32s(GraphSchema.Subgraph.inputs, in: bytes, &budget)
    var nodes: [Node] = []
    for table in try main.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let index = Int(try table.uint32(GraphSchema.Operator.code, in: bytes))
      guard index < kinds.count else {
        throw .damaged("an operator has the code \(index), but the model lists \(kinds.count) codes")
      }
      nodes.append(
        Node(
          kind: kinds[index],
          inputs: try table.int32s(GraphSchema.Operator.inputs, in: bytes, &budget),
          outputs: try table.int32s(GraphSchema.Operator.outputs, in: bytes, &budget)))
    }
    self.nodes = nodes
    self.budget = budget
  }

  /// Returns the only operator that reads a tensor; nil if there is none, or several.
  ///
  /// If several operators slice out channels that one operator joins again, for example to swap red and blue,
  /// returns the joining operator.
  func onlyReader(of tensor: Int) -> Node? {
    let readers = nodes.filter { $0.inputs.contains(tensor) }
    if readers.count == 1 { return readers[0] }
    guard readers.count > 1, readers.allSatisfy({ $0.kind == .stridedSlice }) else { return nil }
    let parts = readers.flatMap(\.outputs)
    let joining = nodes.filter { node in node.inputs.contains { parts.contains($0) } }
    guard joining.count == 1, joining[0].kind == .pack || joining[0].kind == .concatenation else {
      return nil
    }
    return joining[0]
  }

  /// Returns the largest absolute value of a float constant of one or three numbers; nil for other tensors.
  mutating func largestValue(of tensor: Int, in bytes: Span<UInt8>) throws(MetadataError) -> Float? {
    guard let data = try constant(tensor, in: bytes), data.type == GraphSchema.ElementType.float32,
      data.vector.count == 4 || data.vector.count == 12
    else { return nil }
    var largest: Float = 0
    for index in 0..<data.vector.count / 4 {
      largest = max(largest, abs(try float(index, of: data.vector, in: bytes)))
    }
    return largest.isFinite ? largest : nil
  }

  /// Returns the range of real numbers of a quantised tensor; nil if it is not int8 or uint8 with one scale.
  mutating func range(of tensor: Int, in bytes: Span<UInt8>) throws(MetadataError) -> ClosedRange<Float>? {
    guard tensors.indices.contains(tensor) else { return nil }
    let type = try tensors[tensor].uint8(GraphSchema.Tensor.type, in: bytes)
    guard type == GraphSchema.ElementType.int8 || type == GraphSchema.ElementType.uint8,
      let quantization = try tensors[tensor].table(GraphSchema.Tensor.quantization, in: bytes, &budget)
    else { return nil }
    let scales = try quantization.floats(GraphSchema.Quantization.scale, in: bytes, &budget)
    guard scales.count == 1, scales[0].isFinite, scales[0] > 0 else { return nil }
    var zeroPoint: Float = 0
    if let points = try quantization.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes),
      points.count > 0
    {
      zeroPoint = Float(Int64(bitPattern: try bytes.uint64(at: points.start, "a zero point")))
    }
    let lowest: Float = type == GraphSchema.ElementType.int8 ? -128 : 0
    return (lowest - zeroPoint) * scales[0]...(lowest + 255 - zeroPoint) * scales[0]
  }

  /// Returns the largest sum of the absolute weights of one output channel; nil if the weights are not
  /// constants of float32, float16 or int8.
  mutating func largestKernelSum(
    of tensor: Int, channelDimension: Int, in bytes: Span<UInt8>
  ) throws(MetadataError) -> Float? {
    // Half-precision weights are constants that an operator converts to float32.
    var stored = tensor
    if let maker = nodes.first(where: { $0.outputs.contains(tensor) }) {
      guard maker.kind == .dequantize, let source = maker.inputs.first else { return nil }
      stored = source
    }
    guard let data = try constant(stored, in: bytes) else { return nil }
    let shape = try tensors[stored].int32s(GraphSchema.Tensor.shape, in: bytes, &budget)
    // The first layer of an image model has a few thousand weights; larger ones belong to other kinds of
    // models.
    guard shape.count == 4, shape.allSatisfy({ (1...1024).contains($0) }) else { return nil }
    let count = shape.reduce(1, *)
    let size = [
      GraphSchema.ElementType.float32: 4, GraphSchema.ElementType.float16: 2, GraphSchema.ElementType.int8: 1,
    ]
    guard count <= 1 << 18, let width = size[data.type], data.vector.count == width * count else {
      return nil
    }
    var sums = [Float](repeating: 0, count: shape[channelDimension])
    let run = channelDimension == 0 ? count / shape[0] : 1
    for index in 0..<count {
      let place = data.vector.start + width * index
      let weight =
        switch width {
        case 4: Float(bitPattern: try bytes.uint32(at: place, "a weight"))
        case 2: Binary16.float(try bytes.uint16(at: place, "a weight"))
        default: Float(Int8(bitPattern: try bytes.uint8(at: place, "a weight")))
        }
      sums[index / run % sums.count] += abs(weight)
    }
    if width == 1 {
      guard
        let scales = try tensors[stored].table(GraphSchema.Tensor.quantization, in: bytes, &budget)?
          .floats(GraphSchema.Quantization.scale, in: bytes, &budget),
        scales.count == 1 || scales.count == sums.count
      else { return nil }
      for index in sums.indices { sums[index] *= scales[scales.count == 1 ? 0 : index] }
    }
    return sums.max().flatMap { $0.isFinite ? $0 : nil }
  }

  private func float(_ index: Int, of vector: FlatVector, in bytes: Span<UInt8>) throws(MetadataError)
    -> Float
  {
    Float(bitPattern: try bytes.uint32(at: vector.start + 4 * index, "a constant"))
  }

  /// Returns the type and bytes of a constant; nil for a computed tensor.
  private func constant(_ tensor: Int, in bytes: Span<UInt8>) throws(MetadataError) -> (
    type: UInt8, vector: FlatVector
  )? {
    guard tensors.indices.contains(tensor) else { return nil }
    let index = Int(try tensors[tensor].uint32(GraphSchema.Tensor.buffer, in: bytes))
    guard buffers.indices.contains(index),
      let vector = try buffers[index].vector(ModelFile.Field.bufferData, stride: 1, in: bytes),
      vector.count > 0
    else { return nil }
    return (try tensors[tensor].uint8(GraphSchema.Tensor.type, in: bytes), vector)
  }
}
