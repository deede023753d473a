// SPDX-License-Identifier: Apache-2.0

/// A TFLite model as a test describes it: a value that can be changed anywhere, and its file, `bytes()`.
///
/// Nothing is checked, so that a test can describe a broken model. `MetadataWriter` adds metadata and
/// associated files to the file.
package struct TestModel: Sendable {
  /// A tensor; a list of numbers only is a float tensor of that shape.
  package struct Tensor: Sendable, ExpressibleByArrayLiteral {
    package var shape: [Int32]
    /// The number of the element type in the schema.
    package var type: UInt8 = 0
    package var buffer: UInt32 = 0
    package var scales: [Float] = []
    package var zeroPoints: [Int64] = []
    package var dimension: UInt32 = 0
    package var isVariable = false
    package var signature: [Int32] = []
    package var name: String?
    package var sparsity: SparseParameters?

    package init(
      shape: [Int32], type: UInt8 = 0, buffer: UInt32 = 0, scales: [Float] = [], zeroPoints: [Int64] = [],
      dimension: UInt32 = 0, isVariable: Bool = false, name: String? = nil, sparsity: SparseParameters? = nil
    ) {
      self.shape = shape
      self.type = type
      self.buffer = buffer
      self.scales = scales
      self.zeroPoints = zeroPoints
      self.dimension = dimension
      self.isVariable = isVariable
      self.name = name
      self.sparsity = sparsity
    }

    package init(arrayLiteral shape: Int32...) { self.init(shape: shape) }

    /// A tensor with one scale and one zero point.
    package static func quantized(
      _ shape: [Int32], _ type: UInt8, _ scale: Float, _ zeroPoint: Int64 = 0, buffer: UInt32 = 0
    ) -> Tensor {
      Tensor(shape: shape, type: type, buffer: buffer, scales: [scale], zeroPoints: [zeroPoint])
    }
  }

  package struct Operator: Sendable {
    package var code: UInt32
    package var inputs: [Int32]
    package var outputs: [Int32]
    /// Numbers of 32 bits by their field; one of 8 bits fits, too.
    package var options: [Int: Int32]?
    package var newOptions: [Int: Int32]?
    package var custom: [UInt8]?

    package init(
      code: UInt32, inputs: [Int32] = [], outputs: [Int32] = [], options: [Int: Int32]? = nil,
      newOptions: [Int: Int32]? = nil, custom: [UInt8]? = nil
    ) {
      self.code = code
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
      self.newOptions = newOptions
      self.custom = custom
    }
  }

  package struct Graph: Sendable {
    package var tensors: [Tensor]
    package var operators: [Operator]
    package var inputs: [Int32]
    package var outputs: [Int32]
  }

  /// A signature with the tensors it names.
  package struct Signature: Sendable {
    package var key: String?
    package var graph: UInt32
    package var inputs: [(name: String?, tensor: UInt32)]
    package var outputs: [(name: String?, tensor: UInt32)]

    /// A signature whose inputs are "image", "image1", … and whose outputs are "scores", "scores1", ….
    package init(
      _ key: String = "serving_default", graph: UInt32 = 0, inputs: [UInt32], outputs: [UInt32] = []
    ) {
      func named(_ name: String, _ tensors: [UInt32]) -> [(name: String?, tensor: UInt32)] {
        tensors.enumerated().map { ($0 == 0 ? name : "\(name)\($0)", $1) }
      }
      self.key = key
      self.graph = graph
      self.inputs = named("image", inputs)
      self.outputs = named("scores", outputs)
    }
  }

  /// The encoding of operator kinds: in one byte as in old files, in 32 bits, or in both as today.
  package enum Codes: Sendable { case bytes, numbers, both }

  package var graphs: [Graph]
  package var codes = Codes.both
  package var buffers: [[UInt8]]
  /// The buffer whose content is declared to follow the FlatBuffer.
  package var farBuffer: Int?
  package var customName = "TFLite_Detection_PostProcess"
  package var signatures: [Signature] = []
  package var description: String?
  /// The names of metadata with their buffers.
  package var metadata: [(name: String, buffer: UInt32)] = []

  /// A model of one graph; its buffer 0 is empty, as in each model.
  package init(
    tensors: [Tensor] = [], operators: [Operator] = [], inputs: [Int32] = [], outputs: [Int32] = [],
    buffers: [[UInt8]] = [[]]
  ) {
    graphs = [Graph(tensors: tensors, operators: operators, inputs: inputs, outputs: outputs)]
    self.buffers = buffers
  }
}
