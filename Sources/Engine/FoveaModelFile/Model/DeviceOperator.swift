// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The device that a model is compiled for, as one of its custom operators shows.
package struct DeviceOperator: Sendable {
  /// The device and the operator as a clause: "it is compiled for Google's Edge TPU (its operator is …)".
  package let what: String
  /// The next step: one sentence without a full stop.
  package let remedy: Advice

  /// Compilers for a device leave a single operator with one of these names in the model.
  ///
  /// **Source:** the compilers themselves: Google's `edgetpu_compiler`, Arm's Vela, NXP's Neutron converter,
  /// VeriSilicon's `tflite-vx-delegate`, LiteRT's `apply_plugin`.
  private static let devices: [String: String] = [
    "edgetpu-custom-op": "Google's Edge TPU", "ethos-u": "Arm's Ethos-U by Vela",
    "NeutronGraph": "NXP's Neutron NPU", "vsi-npu": "VeriSilicon's NPU", "DISPATCH_OP": "an NPU by LiteRT",
  ]

  /// Finds the first operator of a device.
  /// - Parameter operators: The names of a model's custom operators; nil is returned if none is a device's.
  package init?(among operators: [String]) {
    guard let name = operators.first(where: { Self.devices[$0] != nil }), let device = Self.devices[name]
    else { return nil }
    what = "it is compiled for \(device) (its operator is '\(name)')"
    remedy =
      switch name {
      case "edgetpu-custom-op":
        "Use the file that it was compiled from: its name is usually the same without '_edgetpu'"
      case "ethos-u": "Use the file that it was compiled from: its name is usually the same without '_vela'"
      default: "Use the file that it was compiled from"
      }
  }
}
