// SPDX-License-Identifier: Apache-2.0
//
// Prints the inputs and outputs of a model, and how Fovea would use it.
//
//     swift run InspectModel model.tflite

import Fovea
import FoveaRuntime

let path = CommandLine.arguments.dropFirst().first
let inspection = try ModelInspection(of: path.map { .file($0) } ?? .embedded(.detector))

print("\(inspection.name), \(inspection.byteCount) bytes, for LiteRT \(RuntimeLibrary.supportedVersion)")
print("family: \(inspection.family ?? "unknown"): \(inspection.reason)")
for need in inspection.needs { print("needs: \(need)") }

for signature: ModelSignature in inspection.signatures {
  print("signature \(signature.key ?? "without a name")")
  for input in signature.inputs { print("  in  \(describe(input))") }
  for output in signature.outputs { print("  out \(describe(output))") }
}
let pixels =
  switch inspection.normalizationSource {
  case NormalizationSource.none: "unchanged"
  case .family: "the default of its family"
  case .assumed: "normalised like most float models; the model does not declare it"
  case .metadata, .option: "normalised as the model declares"
  case .graph: "normalised as the first layers of the model require"
  }
print("pixels: \(pixels)")
let form: LabelForm? = inspection.labels?.form
print(
  "labels: \(inspection.labels?.names.joined(separator: ", ") ?? "none"), read as "
    + "\(form?.rawValue ?? "nothing")")
print("threshold: \(inspection.threshold.map { "\($0)" } ?? "none")")

func describe(_ tensor: TensorDescription) -> String {
  let kind =
    tensor.elementType == ElementType.float32 ? "real numbers" : "\(tensor.elementType.bits)-bit numbers"
  let shape = tensor.shape.map(String.init).joined(separator: " × ")
  let scale =
    switch tensor.quantization {
    case Quantization.none: ""
    case .perTensor(let scale, let zeroPoint): ", one step is \(scale), \(zeroPoint) represents 0"
    case .perChannel(let scales, _, let axis): ", \(scales.count) scales along axis \(axis)"
    case .other(let code): ", with a quantisation that Fovea does not support (\(code))"
    }
  return "\(tensor.name): \(shape) \(kind)\(scale)"
}
