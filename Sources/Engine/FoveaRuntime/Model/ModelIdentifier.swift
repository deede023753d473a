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
      let file = ForeignModelFile(unsafe Array(bytes.prefix(512)), name: model.name)
      throw RuntimeError(
        .modelInvalid, "'\(model.name)' is not a TFLite model: \(file.what)", remedy: file.remedy)
    }
  }
}
