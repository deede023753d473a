// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// Operators that LiteRT's CPU runtime does not have, and whose names show the program or device a model was
/// made for.
enum ForeignOperator {
  /// Operators of other programs, by name and owner.
  ///
  /// **Source:** google-coral/libcoral, `posenet_decoder_op.cc`.
  private static let owners: [String: String] = ["PosenetDecoderOp": "Coral's"]

  /// Returns the device that a model is compiled for; nil if it has no device's operators.
  static func device(of operators: [String]) -> UnsupportedModel? {
    DeviceOperator(among: operators).map { UnsupportedModel($0.what, remedy: $0.remedy) }
  }

  /// Returns the operator that LiteRT's error reports as missing, of any maker; nil for other errors.
  ///
  /// Only LiteRT knows all of its operators, so its error is read instead of comparing with a list.
  static func missing(_ operators: [String], error: String) -> UnsupportedModel? {
    var (rest, ends) = (error.utf8[...], [Substring.UTF8View]())
    while let place = rest.firstPlace(of: marker.utf8) {
      rest = rest[place.upperBound...]
      ends.append(rest)
    }
    guard !ends.isEmpty else { return nil }
    let name = operators.first { name in
      let beginning = told(name)
      return ends.contains { $0.starts(with: beginning) }
    }
    guard let name else { return nil }
    let what = name.isEmpty ? "an operator without a name" : "the operator '\(shown(name))'"
    return UnsupportedModel(
      "it needs \(what), which LiteRT does not have",
      remedy: otherOperators)
  }

  private static let otherOperators: Advice =
    "Export it again with built-in operators only, or use another model"

  /// The text before the name in LiteRT's error.
  private static let marker = "unresolved custom op: "

  /// The number of bytes of a name that LiteRT's message, of at most 1,023 bytes, always contains.
  private static let longestTold = 900

  /// Returns a name as the error quotes it: up to its first NUL, with its lines joined as a session joins
  /// them, and followed by a full stop unless it is long.
  private static func told(_ name: String) -> ArraySlice<UInt8> {
    let words = name.prefix { $0 != "\0" }
    let line = "\(marker)\(words).".split(whereSeparator: \.isNewline).joined(separator: "; ")
    return Array(line.utf8).dropFirst(marker.utf8.count).prefix(longestTold)
  }

  /// Returns a name for display, shortened if it is long.
  private static func shown(_ name: String) -> String { name.count > 80 ? "\(name.prefix(79))…" : name }

  /// Returns the operator that a model needs and LiteRT does not have; nil if no name shows it.
  static func recognized(_ operators: [String]) -> UnsupportedModel? {
    if let device = device(of: operators) { return device }
    if let flex = operators.first(where: { $0.hasPrefix("Flex") }) {
      return UnsupportedModel(
        "it needs TensorFlow's own operators ('\(shown(flex))'), which LiteRT does not have",
        remedy: "Convert it again with target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS] only")
    }
    guard let name = operators.first(where: { owners[$0] != nil }), let owner = owners[name] else {
      return nil
    }
    return UnsupportedModel(
      "it needs \(owner) operator '\(name)', which LiteRT does not have", remedy: otherOperators)
  }
}
