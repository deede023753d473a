// SPDX-License-Identifier: Apache-2.0

/// A built-in operator of TensorFlow Lite; its raw value is its number in the schema.
///
/// Later numbers are operators of StableHLO, which have no names here.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, enum BuiltinOperator, in the order of its numbers.
package enum BuiltinOperator: UInt32, Sendable, CaseIterable {
  // 0 …
  case add, averagePool2D, concatenation, conv2D, depthwiseConv2D, depthToSpace, dequantize,
    embeddingLookup, floor, fullyConnected
  // 10 …
  case hashtableLookup, l2Normalization, l2Pool2D, localResponseNormalization, logistic,
    lshProjection, lstm, maxPool2D, mul, relu
  // 20 …
  case reluN1To1, relu6, reshape, resizeBilinear, rnn, softmax, spaceToDepth, svdf, tanh,
    concatEmbeddings
  // 30 …
  case skipGram, call, custom, embeddingLookupSparse, pad, unidirectionalSequenceRnn, gather,
    batchToSpaceNd, spaceToBatchNd, transpose
  // 40 …
  case mean, sub, div, squeeze, unidirectionalSequenceLstm, stridedSlice, bidirectionalSequenceRnn,
    exp, topkV2, split
  // 50 …
  case logSoftmax, delegate, bidirectionalSequenceLstm, cast, prelu, maximum, argMax, minimum, less,
    neg
  // 60 …
  case padV2, greater, greaterEqual, lessEqual, select, slice, sin, transposeConv, sparseToDense,
    tile
  // 70 …
  case expandDims, equal, notEqual, log, sum, sqrt, rsqrt, shape, pow, argMin
  // 80 …
  case fakeQuant, reduceProd, reduceMax, pack, logicalOr, oneHot, logicalAnd, logicalNot, unpack,
    reduceMin
  // 90 …
  case floorDiv, reduceAny, square, zerosLike, fill, floorMod, range, resizeNearestNeighbor,
    leakyRelu, squaredDifference
  // 100 …
  case mirrorPad, abs, splitV, unique, ceil, reverseV2, addN, gatherNd, cos, `where`
  // 110 …
  case rank, elu, reverseSequence, matrixDiag, quantize, matrixSetDiag, round, hardSwish, `if`,
    `while`
  // 120 …
  case nonMaxSuppressionV4, nonMaxSuppressionV5, scatterNd, selectV2, densify, segmentSum,
    batchMatmul, placeholderForGreaterOpCodes, cumsum, callOnce
  // 130 …
  case broadcastTo, rfft2D, conv3D, imag, real, complexAbs, hashtable, hashtableFind,
    hashtableImport, hashtableSize
  // 140 …
  case reduceAll, conv3DTranspose, varHandle, readVariable, assignVariable, broadcastArgs,
    randomStandardNormal, bucketize, randomUniform, multinomial
  // 150 …
  case gelu, dynamicUpdateSlice, relu0To1, unsortedSegmentProd, unsortedSegmentMax,
    unsortedSegmentSum, atan2, unsortedSegmentMin, sign, bitcast
  // 160 …
  case bitwiseXor, rightShift

  private static let names: [Substring] =
    """
    ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE \
    EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D \
    LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6 \
    RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM \
    EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND \
    TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN \
    EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX MINIMUM \
    LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE \
    EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX \
    PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE \
    ZEROS_LIKE FILL FLOOR_MOD RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS \
    SPLIT_V UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG \
    QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 \
    SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM \
    CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT \
    HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS \
    RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 \
    UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN \
    BITCAST BITWISE_XOR RIGHT_SHIFT
    """.split(separator: " ")

  /// The name in the schema.
  package var name: String { String(Self.names[Int(rawValue)]) }
}

extension FlatTable {
  /// Reads the operator's number in a table of operator codes.
  ///
  /// Old files store it in one byte, up to 127, and new files in both fields: the larger value counts.
  package func operatorNumber(in bytes: Span<UInt8>) throws(MetadataError) -> UInt32 {
    max(
      UInt32(try uint8(GraphSchema.Code.deprecated, in: bytes)),
      try uint32(GraphSchema.Code.builtin, in: bytes))
  }
}
