// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaMetadata

/// A model of the caller's, looked at before it is used.
struct CustomModel: Sendable {
  /// What it can do.
  enum Kind: Sendable {
    case classifier
    case detector
  }
  let kind: Kind

  /// Opens the model and checks it.
  /// - Parameters:
  ///   - path: A model file, a folder with one, or a manifest.
  ///   - normalization: What the caller says of its input.
  /// - Throws: `notFound` or `invalidArgument` with "Local model path (…) is invalid", `modelIncompatible` with the Task
  ///   Library's status.
  init(path: String, normalization: PixelNormalization?) throws(MLError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .invalidLocalModel(
        path, "there is no such file", remedy: "Check the path; it must be one that this process may read",
        code: .notFound, status: 100)
    }
    let inspection: ModelInspection
    do throws(FoveaError) {
      var options = ObjectDetector.Options()
      options.normalization = normalization?.normalization
      inspection = try ModelInspection(of: .file(path), options: options)
    } catch {
      throw MLError(error).about(model: path)
    }
    switch inspection.family {
    case "classifier":
      try Self.checkInput(inspection, normalization)
      kind = .classifier
    case .some:
      kind = .detector
    case nil:
      throw Self.unknown(inspection)
    }
  }

  private static func checkInput(
    _ model: ModelInspection, _ normalization: PixelNormalization?
  ) throws(MLError) {
    guard model.inputs.first?.elementType == .float32, normalization == nil,
      model.metadata?.inputs.first?.normalization == nil
    else { return }
    throw MLError(
      .modelIncompatible,
      "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata to preprocess"
        + " input images",
      remedy:
        "Set the option 'normalization' to the values that '\(model.name)' was trained with, or write them"
        + " into the model with 'fovea model add-metadata'", modelStatus: 208)
  }

  private static func unknown(_ model: ModelInspection) -> MLError {
    let shapes = model.outputs.map(\.description).joined(separator: ", ")
    let rank = model.outputs.first?.shape.count ?? 0
    guard rank != 2, rank != 4, model.outputs.count == 1 else {
      return MLError(
        .modelIncompatible,
        "'\(model.name)' is neither a classifier nor a detector that is known: its outputs are \(shapes)",
        remedy: model.reason, modelStatus: 400)
    }
    return MLError(
      .modelIncompatible,
      "Unexpected number of dimensions for output index 0: got \(rank)D, expected either 2D (BxN with B=1) or"
        + " 4D (BxHxWxN with B=1, W=1, H=1)",
      remedy:
        "Export a classifier, or a detector of a family that is known; '\(model.name)' answers \(shapes)",
      modelStatus: 400)
  }
}
