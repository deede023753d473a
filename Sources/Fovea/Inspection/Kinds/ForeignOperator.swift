// SPDX-License-Identifier: Apache-2.0

import FoveaErrors

/// Operators that LiteRT on a processor does not have, and whose name shows what a model was made for.
enum ForeignOperator {
  /// What compiles a model for a device leaves one operator with this name in it.
  ///
  /// **Source:** the compilers' own: Google's `edgetpu_compiler`, Arm's Vela, NXP's Neutron converter, VeriSilicon's
  /// `tflite-vx-delegate`, LiteRT's `apply_plugin`.
  private static let devices: [String: String] = [
    "edgetpu-custom-op": "Google's Edge TPU", "ethos-u": "Arm's Ethos-U by Vela",
    "NeutronGraph": "NXP's Neutron NPU", "vsi-npu": "VeriSilicon's NPU", "DISPATCH_OP": "an NPU by LiteRT",
  ]

  /// Operators of other programs, by whose they are.
  ///
  /// **Source:** google-coral/libcoral, `posenet_decoder_op.cc`.
  private static let owners: [String: String] = ["PosenetDecoderOp": "Coral's"]

  /// The device that a model is compiled for; nil where there is no operator of one.
  static func device(of operators: [String]) -> UnsupportedModel? {
    guard let name = operators.first(where: { devices[$0] != nil }), let device = devices[name] else {
      return nil
    }
    let remedy: Advice =
      switch name {
      case "edgetpu-custom-op":
        "Use the file that it was compiled from: its name is usually the same without '_edgetpu'"
      case "ethos-u": "Use the file that it was compiled from: its name is usually the same without '_vela'"
      default: "Use the file that it was compiled from"
      }
    return UnsupportedModel("it is compiled for \(device) (its operator is '\(name)')", remedy: remedy)
  }

  /// The operator that LiteRT's error names as one that it does not have, of any maker; nil for other errors.
  ///
  /// Only LiteRT knows all that it has, so that no list decides.
  static func missing(_ operators: [String], error: String) -> UnsupportedModel? {
    let ends = error.ranges(of: "unresolved custom op: ").map { error[$0.upperBound...] }
    guard let name = operators.first(where: { name in ends.contains { $0.hasPrefix("\(name).") } }) else {
      return nil
    }
    let what = name.isEmpty ? "an operator without a name" : "the operator '\(name)'"
    return UnsupportedModel(
      "it needs \(what), which LiteRT does not have",
      remedy: "Export it again with built-in operators only, or use another model")
  }

  /// What a model needs that LiteRT does not have; nil where no operator shows it.
  static func recognized(_ operators: [String]) -> UnsupportedModel? {
    if let device = device(of: operators) { return device }
    if let flex = operators.first(where: { $0.hasPrefix("Flex") }) {
      return UnsupportedModel(
        "it needs TensorFlow's own operators ('\(flex)'), which LiteRT does not have",
        remedy: "Convert it again with target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS] alone")
    }
    guard let name = operators.first(where: { owners[$0] != nil }), let owner = owners[name] else {
      return nil
    }
    return UnsupportedModel(
      "it needs \(owner) operator '\(name)', which LiteRT does not have", remedy: UnsupportedModel.otherModel)
  }
}
