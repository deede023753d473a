// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

extension Quantizer {
  /// Returns the error of two models that find nothing in the photos.
  func nothingFound() -> FoveaError {
    FoveaError(
      .calibrationEmpty,
      "Neither '\(name)' nor its int8 form finds anything in the \(compared.count) compared photos",
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
    return FoveaError(
      .agreementTooLow,
      "int8 agrees with float in \(found) of \(task.agreementUnit), \(wanted) are wanted, "
        + "with \(DecimalText.counted(float.count, "layer", "layers")) in float already"
        + (blamed.isEmpty ? "" : ". Most of what is left: " + blamed.joined(separator: ", ")),
      remedy: "Train with quantisation, store only the weights smaller with "
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
