// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata

/// Rows of numbers from a layer without an activation that nothing shows to be scores of classes:
/// regressions, and features of faces.
enum RawNumbers {
  /// Recognises such a model; a single number is an error of ``ConfidenceReading``.
  /// - Parameters:
  ///   - head: The row.
  ///   - output: Its tensor, for the text.
  ///   - end: The last operation of the graph on it.
  ///   - isDeclared: If true, labels or the metadata show that the numbers are scores.
  /// - Returns: The kind; nil for other models.
  static func recognized(
    _ head: ClassifierHead, _ output: String, end: OutputActivation?, isDeclared: Bool
  ) -> UnsupportedModel? {
    guard head.classCount > 1, end == .linear, !isDeclared, !head.holdsProbabilities,
      !imageNetCounts.contains(head.classCount), !head.outputName.lowercased().contains(part: "logits")
    else { return nil }
    return UnsupportedModel(
      "it outputs \(head.classCount) numbers from a layer without softmax or sigmoid, \(output), and nothing"
        + " shows that they are scores of classes",
      remedy: ConfidenceReading.declaration(of: head.classCount))
  }

  /// The numbers of ImageNet's classes, without and with the background.
  private static let imageNetCounts = 1000...1001
}
