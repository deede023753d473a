// SPDX-License-Identifier: Apache-2.0

/// The mark at the beginning of a TFLite file.
///
/// It is checked first, because "not a model at all" deserves a better text than "damaged".
enum ModelIdentifier {
  /// Refuses bytes without the mark, and says what they are instead.
  /// - Throws: `modelInvalid`.
  static func check(_ model: ModelBytes) throws(RuntimeError) {
    let bytes = unsafe model.pointer
    guard bytes.count >= 8, unsafe bytes[4..<8].elementsEqual("TFL3".utf8) else {
      throw RuntimeError(
        .modelInvalid,
        "'\(model.name)' is not a TFLite model: \(description(ofFirst: unsafe Array(bytes.prefix(8))))",
        remedy: "Give a .tflite file; SavedModel, Keras, PyTorch and ONNX models must be converted first")
    }
  }

  /// Printable bytes as they are, the others as Swift writes them in a literal.
  private static func shown(text bytes: [UInt8]) -> String {
    bytes.map { byte in
      let scalar = Unicode.Scalar(byte)
      return byte < 32 ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  private static func description(ofFirst bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "it has no bytes" }
    let isText = bytes.allSatisfy { (32..<127).contains($0) || $0 == 9 || $0 == 10 || $0 == 13 }
    if isText { return "it is text that begins with '\(shown(text: bytes))'" }
    if bytes.starts(with: [0x50, 0x4B]) { return "it is a ZIP archive" }
    if bytes.starts(with: [0x89, 0x48, 0x44, 0x46]) { return "it is an HDF5 file (Keras)" }
    return "the mark 'TFL3' is missing at byte 4"
  }
}
