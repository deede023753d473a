// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A file that is not a TFLite model: its format, by its first bytes and name, and how to convert it.
struct ForeignModelFile: Equatable {
  /// The format as a clause: "it is a ZIP archive".
  let what: String
  /// The next step: one sentence without a final full stop.
  let remedy: Advice

  private static let bundleEnding = ".task"
  private static let convert = "SavedModel, Keras, PyTorch and ONNX models must be converted first"

  /// Recognises a file's format.
  /// - Parameters:
  ///   - bytes: The first bytes of the file, at most 512.
  ///   - name: The file name, whose extension decides if the bytes do not.
  init(_ bytes: [UInt8], name: String) {
    let lower = name.lowercased()
    self =
      Self.text(bytes) ?? Self.archive(bytes, name: lower) ?? Self.model(bytes, name: lower)
      ?? (lower.hasSuffix(Self.bundleEnding)
        ? Self("it is neither a model nor a bundle of models", "Download the file again")
        : Self("the mark 'TFL3' is missing at byte 4", "Use a .tflite file; \(Self.convert)"))
  }

  private init(_ what: String, _ remedy: Advice) {
    self.what = what
    self.remedy = remedy
  }

  private static func text(_ bytes: [UInt8]) -> ForeignModelFile? {
    guard !bytes.isEmpty else { return Self("it has no bytes", "Use a .tflite file; \(convert)") }
    // **Source:** the Git LFS specification, version 1.
    if bytes.starts(with: "version https://git-lfs.github.com/spec/v1".utf8) {
      return Self(
        "it is a Git LFS pointer, not the model itself",
        "Run 'git lfs pull' in its repository, or download the file from the repository's page")
    }
    let start = String(decoding: bytes.prefix(15), as: UTF8.self).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
      return Self(
        "it is a web page",
        "Download the file itself: on GitHub with the button for the raw file, from the address with /raw/ "
          + "for /blob/")
    }
    let first = bytes.prefix(8)
    guard first.allSatisfy({ (32..<127).contains($0) || [9, 10, 13].contains($0) }) else { return nil }
    return Self("it is text that begins with '\(shown(first))'", "Use a .tflite file; \(convert)")
  }

  /// **Source:** PKWARE, APPNOTE.TXT, section 4.3.7: the name of the first entry is at byte 30.
  private static func archive(_ bytes: [UInt8], name: String) -> ForeignModelFile? {
    if bytes.starts(with: [0x1F, 0x8B]) {
      return Self(
        "it is a gzip file", "Unpack it first, with gunzip or tar xzf, and use the .tflite file in it")
    }
    guard bytes.starts(with: [0x50, 0x4B]) else { return nil }
    var entry = ""
    if bytes.count > 30, bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      let length = Int(bytes[26]) | Int(bytes[27]) << 8
      entry = String(decoding: bytes[30..<min(30 + length, bytes.count)], as: UTF8.self)
    }
    if ["metadata.json", "config.json", "model.weights.h5"].contains(entry) {
      return Self("it is a ZIP archive with a Keras model", kerasRemedy)
    }
    if entry.hasSuffix("data.pkl") || entry.hasSuffix("/version") || entry.hasSuffix(".format_version") {
      return Self("it is a ZIP archive with a PyTorch model", torchRemedy)
    }
    if name.hasSuffix(bundleEnding) {
      return Self(
        "it is a ZIP archive",
        "Unpack it first, and use one of its .tflite files; a landmark model follows its detector as "
          + "\(option: "landmarks")")
    }
    return Self("it is a ZIP archive", "Unpack it first, and use the .tflite file in it")
  }

  private static let kerasRemedy: Advice =
    "Convert it: tf.lite.TFLiteConverter.from_keras_model(keras.models.load_model(FILE)).convert()"
  private static let torchRemedy: Advice =
    "Convert it with litert-torch, or export it again: yolo export format=litert for a YOLO"

  /// **Source:** the HDF5 file format, section II.A; ONNX, `onnx.proto`, ModelProto; TensorFlow,
  /// `saved_model.proto` and `graph.proto`; Python's pickle, protocol 2 and later.
  private static func model(_ bytes: [UInt8], name: String) -> ForeignModelFile? {
    if bytes.starts(with: [0x89, 0x48, 0x44, 0x46]) {
      return Self("it is an HDF5 file (Keras)", kerasRemedy)
    }
    // A varint field 1, the version, then a field 2 of bytes: the producer's name, or the graphs.
    if bytes.count > 3, bytes[0] == 0x08, bytes[2] == 0x12 || name.hasSuffix(".onnx") {
      if bytes[1] == 1 {
        return Self(
          "it is a TensorFlow SavedModel",
          "Convert its folder: tf.lite.TFLiteConverter.from_saved_model(FOLDER).convert()")
      }
      if (2...64).contains(bytes[1]) {
        return Self(
          "it is an ONNX model", "Convert it with onnx2tf, which writes a .tflite file: onnx2tf -i FILE")
      }
    }
    if bytes.count > 2, bytes[0] == 0x80, (2...5).contains(bytes[1]) {
      return Self("it is a Python pickle, as PyTorch writes it", torchRemedy)
    }
    if bytes[0] == 0x0A, name.hasSuffix(".pb") {
      return Self(
        "it is a frozen TensorFlow graph",
        "Convert it: tf.compat.v1.lite.TFLiteConverter.from_frozen_graph(FILE, inputs, outputs).convert()")
    }
    return nil
  }

  /// Returns the bytes as text, with control characters escaped as in a Swift literal.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { byte in
      let scalar = Unicode.Scalar(byte)
      return byte < 32 ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}

/// The identifier at the start of a TFLite file.
///
/// It is checked first, because a file that is not a model deserves a better message than "damaged".
enum ModelIdentifier {
  /// Verifies the identifier, and names the actual format in the error.
  /// - Throws: `modelInvalid`.
  static func check(_ model: ModelBytes) throws(RuntimeError) {
    let bytes = unsafe model.pointer
    guard bytes.count >= 8, unsafe bytes[4..<8].elementsEqual("TFL3".utf8) else {
      let file = ForeignModelFile(unsafe Array(bytes.prefix(512)), name: model.name)
      throw RuntimeError(
        .modelInvalid, "'\(model.name)' is not a TFLite model: \(file.what)", remedy: file.remedy)
    }
  }
}
