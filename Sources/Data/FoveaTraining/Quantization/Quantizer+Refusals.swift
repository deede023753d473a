// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaMetadata

extension Quantizer {
  /// Verifies that a model can have a layer in int8, and not too many in float, before anything is measured.
  /// - Parameters:
  ///   - float: The number of layers that are float in any case.
  ///   - count: The number of all layers.
  ///   - kept: The number of layers that are kept float by name.
  ///   - options: The rules.
  ///   - name: The model's name.
  /// - Throws: `metadata-not-quantizable`, or `option-invalid` if the options are to blame.
  static func check(
    floatLayers float: Int, of count: Int, _ kept: Int, _ options: Options, _ name: String
  ) throws(FoveaError) {
    guard float < count else {
      let layers = DecimalText.counted(count, "layer", "layers")
      guard kept > 0 else {
        throw FoveaError(
          MetadataError(
            .notQuantizable,
            "'\(name)' has no layer that int8 makes faster: its \(layers) "
              + "\(count == 1 ? "is" : "are") too small for the conversions around "
              + (count == 1 ? "it" : "them"),
            remedy: "Keep the float model"))
      }
      throw .optionInvalid(
        "No layer of '\(name.printable)' would be int8: of its \(layers), \(kept) "
          + "\(kept == 1 ? "is" : "are") kept float"
          + (kept < count ? ", and int8 does not make the rest faster" : ""),
        remedy: "Name fewer layers with \(option: "keep-float")")
    }
    let others = float - kept
    guard others <= options.mostFloatLayers else {
      throw .optionInvalid(
        "\(DecimalText.counted(others, "layer stays", "layers stay")) float, as int8 does not make "
          + "\(others == 1 ? "it" : "them") faster, and at most \(options.mostFloatLayers) may",
        remedy: "Allow \(others) or more with \(option: "float-layers")")
    }
  }

  /// Returns the error of photos that show no ranges, or too little to compare; nil if they do.
  func refusal(of choice: PhotoChoice) -> FoveaError? {
    let (plain, copies) = (choice.plainCount, choice.copyCount)
    guard let only = choice.calibration.first else {
      guard plain > 0 else { return UnreadablePhotos(choice.failed, of: choice.readCount).error }
      return FoveaError(
        .calibrationEmpty,
        DecimalText.counted(plain, "photo of one colour shows", "photos of one colour show")
          + " no ranges of the numbers of '\(name)', and models that differ agree on "
          + (plain == 1 ? "it" : "them"),
        remedy: "Give photos like those that the model will see")
    }
    // One photo is for those who demand nothing.
    guard choice.compared.count == 1, options.leastAgreement > 0 else { return nil }
    let others = [
      plain > 0 ? "\(plain) \(plain == 1 ? "has" : "have") one colour" : nil,
      copies > 0 ? DecimalText.counted(copies, "is a copy", "are copies") + " of this photo" : nil,
    ].compactMap(\.self)
    return FoveaError(
      .calibrationEmpty,
      "Only '\(only.name.printable)' shows the ranges of numbers, and one photo cannot show how far int8 and "
        + "float agree"
        + (others.isEmpty
          ? "" : "; of \(choice.readCount) photos, \(others.joined(separator: " and "))"),
      remedy: "Give 30 to 100 different photos like those that the model will see, or demand nothing "
        + "(\(option: "at-least", "0"))")
  }

  /// Returns the error of two models that find nothing in the compared photos.
  func nothingFound(_ photoCount: Int) -> FoveaError {
    FoveaError(
      .calibrationEmpty,
      "Neither '\(name)' nor its int8 form finds anything in the \(photoCount) compared photos",
      remedy: "Give photos that show what the model finds, or demand nothing (\(option: "at-least", "0"))")
  }

  /// Returns the error of a model that agrees too little, with the layers to blame.
  func refusal(
    _ agreement: Double, _ layers: [QuantizedModel.Layer], _ task: ComparedTask
  ) -> FoveaError {
    let float = layers.filter(\.isFloat)
    let rest = layers.filter { !$0.isFloat }
    let sum = rest.reduce(0) { $0 + $1.share }
    let blamed = rest.prefix(3).map { layer in
      "\(layer.name.printable) (\(Self.percent(sum > 0 ? layer.share / sum : 0)))"
    }
    let (found, wanted) = ComparedModels.percents(agreement, options.leastAgreement)
    let first: Advice =
      options.mostFloatLayers < mostFloatLayers
      ? "Keep more layers float with \(option: "float-layers"), train" : "Train"
    return FoveaError(
      .agreementTooLow,
      "int8 agrees with float in \(found) of \(task.agreementUnit), \(wanted) are wanted, "
        + "with \(DecimalText.counted(float.count, "layer", "layers")) in float already"
        + (blamed.isEmpty ? "" : ". Most of what is left: " + blamed.joined(separator: ", ")),
      remedy: "\(first) with quantisation, store only the weights smaller with "
        + "\(command: "model quantize --weights float16"), or lower \(option: "at-least")", subject: name)
  }

  /// Returns a share in percent, whole.
  package static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}

extension ComparedTask {
  /// The things of which a share agrees.
  package var agreementUnit: String {
    switch self {
    case .detection: "boxes"
    case .labeling: "first labels"
    case .segmentation: "the area of each class"
    case .embedding, .numbers: "its outputs' direction"
    }
  }
}
