// SPDX-License-Identifier: Apache-2.0

/// An operator's number, and its name for errors.
package struct OperatorName: Sendable, Equatable, CustomStringConvertible {
  package let number: UInt32
  package let custom: String?

  /// Reads an operator code.
  package init(_ table: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget) throws(MetadataError) {
    // Old files store the code in one byte, up to 127.
    let old = UInt32(try table.uint8(GraphSchema.Code.deprecated, in: bytes))
    number = max(old, try table.uint32(GraphSchema.Code.builtin, in: bytes))
    custom = try table.string(GraphSchema.Code.custom, in: bytes, &budget)
  }

  package static let averagePool: UInt32 = 1
  package static let convolution: UInt32 = 3
  package static let dequantize: UInt32 = 6
  package static let fullyConnected: UInt32 = 9
  package static let logistic: UInt32 = 14
  package static let softmax: UInt32 = 25
  package static let mean: UInt32 = 40
  package static let quantize: UInt32 = 114

  /// Whether it may follow the last dense layer: DEQUANTIZE, LOGISTIC, RESHAPE, SOFTMAX, SQUEEZE,
  /// LOG_SOFTMAX, QUANTIZE.
  package var isCarrier: Bool { [6, 14, 22, 25, 43, 50, 114].contains(number) }

  /// Whether it selects detections: NON_MAX_SUPPRESSION_V4 and V5, and the final operator of TensorFlow's
  /// detectors.
  package var isDetection: Bool { number == 120 || number == 121 || custom == "TFLite_Detection_PostProcess" }

  /// Whether it keeps state between runs: CALL_ONCE, VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE.
  package var isState: Bool { [129, 142, 143, 144].contains(number) }

  package var description: String { OperatorNames.name(of: OperatorKind(code: number, customName: custom)) }
}
