// SPDX-License-Identifier: Apache-2.0

/// The field numbers of a model's graph.
///
/// **Source:** TensorFlow Lite, `schema.fbs` version 3c, tables SubGraph, Tensor, QuantizationParameters,
/// SparsityParameters, DimensionMetadata, Operator, OperatorCode, SignatureDef and TensorMap, enum
/// TensorType.
package enum GraphSchema {
  package enum Subgraph {
    package static let tensors = FlatField(0, "subgraphs.tensors")
    package static let inputs = FlatField(1, "subgraphs.inputs")
    package static let outputs = FlatField(2, "subgraphs.outputs")
    package static let operators = FlatField(3, "subgraphs.operators")
    package static let name = FlatField(4, "subgraphs.name")
    package static let count = 6
  }

  package enum Tensor {
    package static let shape = FlatField(0, "tensors.shape")
    package static let type = FlatField(1, "tensors.type")
    package static let buffer = FlatField(2, "tensors.buffer")
    package static let name = FlatField(3, "tensors.name")
    package static let quantization = FlatField(4, "tensors.quantization")
    package static let isVariable = FlatField(5, "tensors.is_variable")
    package static let sparsity = FlatField(6, "tensors.sparsity")
    package static let shapeSignature = FlatField(7, "tensors.shape_signature")
    package static let hasRank = FlatField(8, "tensors.has_rank")
    package static let variants = FlatField(9, "tensors.variant_tensors")
  }

  package enum Quantization {
    package static let minimum = FlatField(0, "quantization.min")
    package static let maximum = FlatField(1, "quantization.max")
    package static let scale = FlatField(2, "quantization.scale")
    package static let zeroPoint = FlatField(3, "quantization.zero_point")
    package static let detailsType = FlatField(4, "quantization.details_type")
    package static let dimension = FlatField(6, "quantization.quantized_dimension")
  }

  package enum Sparsity {
    package static let order = FlatField(0, "sparsity.traversal_order")
    package static let blocks = FlatField(1, "sparsity.block_map")
    package static let levels = FlatField(2, "sparsity.dim_metadata")
  }

  package enum SparseDimension {
    package static let format = FlatField(0, "dim_metadata.format")
    package static let denseSize = FlatField(1, "dim_metadata.dense_size")
    package static let segmentsType = FlatField(2, "dim_metadata.array_segments_type")
    package static let segments = FlatField(3, "dim_metadata.array_segments")
    package static let indicesType = FlatField(4, "dim_metadata.array_indices_type")
    package static let indices = FlatField(5, "dim_metadata.array_indices")
    /// The only field of the vectors that both refer to.
    package static let values = FlatField(0, "dim_metadata.values")
  }

  package enum Operator {
    package static let code = FlatField(0, "operators.opcode_index")
    package static let inputs = FlatField(1, "operators.inputs")
    package static let outputs = FlatField(2, "operators.outputs")
    package static let optionsType = FlatField(3, "operators.builtin_options_type")
    package static let options = FlatField(4, "operators.builtin_options")
    package static let customOptions = FlatField(5, "operators.custom_options")
    package static let customFormat = FlatField(6, "operators.custom_options_format")
    package static let intermediates = FlatField(8, "operators.intermediates")
    package static let largeOptionsSize = FlatField(10, "operators.large_custom_options_size")
    package static let newOptionsType = FlatField(11, "operators.builtin_options_2_type")
  }

  package enum Code {
    package static let deprecated = FlatField(0, "operator_codes.deprecated_builtin_code")
    package static let custom = FlatField(1, "operator_codes.custom_code")
    package static let version = FlatField(2, "operator_codes.version")
    package static let builtin = FlatField(3, "operator_codes.builtin_code")
  }

  package enum Signature {
    package static let inputs = FlatField(0, "signature_defs.inputs")
    package static let outputs = FlatField(1, "signature_defs.outputs")
    package static let key = FlatField(2, "signature_defs.signature_key")
    package static let subgraph = FlatField(4, "signature_defs.subgraph_index")
  }

  package enum TensorMap {
    package static let name = FlatField(0, "tensor_map.name")
    package static let tensor = FlatField(1, "tensor_map.tensor_index")
  }

  package enum ElementType {
    package static let float32: UInt8 = 0
    package static let float16: UInt8 = 1
    package static let int32: UInt8 = 2
    package static let uint8: UInt8 = 3
    package static let int64: UInt8 = 4
    package static let int16: UInt8 = 7
    package static let int8: UInt8 = 9
    package static let resource: UInt8 = 13
    package static let variant: UInt8 = 14
    package static let int4: UInt8 = 17
  }
}
