// SPDX-License-Identifier: Apache-2.0

/// An operator's number, and its name for errors.
package struct OperatorName: Sendable, Equatable, CustomStringConvertible {
  package let number: UInt32
  package let custom: String?

  /// The built-in operator; nil for an unknown number.
  package var builtin: BuiltinOperator? { BuiltinOperator(rawValue: number) }

  /// Reads an operator code.
  package init(_ table: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget) throws(MetadataError) {
    number = try table.operatorNumber(in: bytes)
    custom = try table.string(GraphSchema.Code.custom, in: bytes, &budget)
  }

  /// Whether it may follow the last dense layer.
  package var isCarrier: Bool {
    switch builtin {
    case .dequantize, .logistic, .reshape, .softmax, .squeeze, .logSoftmax, .quantize: true
    default: false
    }
  }

  /// Whether it selects detections; the custom operator is the last one of TensorFlow's detectors.
  package var isDetection: Bool {
    switch builtin {
    case .nonMaxSuppressionV4, .nonMaxSuppressionV5: true
    default: custom == "TFLite_Detection_PostProcess"
    }
  }

  /// Whether it keeps state between runs.
  package var isState: Bool {
    switch builtin {
    case .callOnce, .varHandle, .readVariable, .assignVariable: true
    default: false
    }
  }

  package var description: String { OperatorNames.name(of: OperatorKind(code: number, customName: custom)) }
}
