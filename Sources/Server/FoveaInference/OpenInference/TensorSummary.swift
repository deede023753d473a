// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaRuntime
import FoveaCore

/// A tensor in the metadata of the Open Inference Protocol.
struct TensorSummary: Sendable, JSONObject {
  let name: String
  let type: String
  /// The shape; -1 is a size that the call chooses.
  let shape: [Int]

  func appendMembers(to json: inout JSONText) {
    json.member("name", name)
    json.member("datatype", type)
    json.member("shape", shape)
  }
}

extension TensorSummary {
  init(_ tensor: TensorDescription) {
    self.init(name: tensor.signatureName, type: tensor.elementType.protocolName, shape: tensor.shape)
  }
}

extension ElementType {
  /// The protocol's name of the type; Fovea's own name in capitals if the protocol has none.
  var protocolName: String {
    switch self {
    case .float16: "FP16"
    case .float32: "FP32"
    case .float64: "FP64"
    case .bfloat16: "BF16"
    case .string: "BYTES"
    default: description.uppercased()
    }
  }
}
#endif
