// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata
import FoveaRuntime

/// Turns a row of scores into a class and its probability.
struct ScoreReading: Hashable {
  var activation: ScoreActivation
  /// The first column of an object class: 1 if column 0 is the background.
  var firstColumn: Int
  /// The number to subtract from a column to get the class index.
  var classOffset: Int

  /// MediaPipe's own SSDs, whose graphs end in logits: sigmoid, with the background in column 0.
  ///
  /// **Source:** MediaPipe, `object_detection_oid_v4_cpu.pbtxt` (300 × 300, 1917 anchors, 195 classes) and
  /// `object_detection_mobile_cpu.pbtxt` (320 × 320, 2034 anchors, 91 classes).
  private static let published: Set<[Int]> = [[300, 300, 1917, 195], [320, 320, 2034, 91]]

  /// Decides from what is known: the caller's options, the anchors' metadata, the graph, the tensor, and
  /// whether the family outputs logits without a background.
  /// - Throws: `ambiguousModel`, with the option that decides, if two readings are possible.
  init(
    _ head: AnchorHead, of model: DetectorRecognizer, anchors: AnchorMetadata?, answersLogits: Bool = false
  ) throws(DetectionError) {
    let output = model.signature.outputs[head.scores]
    let graph = model.hints.activations?[output.name]
    let isNamed = output.name == AnchorHead.scoresName
    let shape = model.signature.inputs.first?.shape ?? []
    let isPublished =
      isNamed && shape.count == 4 && Self.published.contains([shape[2], shape[1], head.count, head.columns])
    if let asked = model.hints.scores {
      activation = asked
    } else if let anchors {
      activation = anchors.scoresNeedSigmoid ? .sigmoid : .none
    } else if graph == .sigmoid || graph == .softmax || output.holdsProbabilities {
      activation = .none
    } else if answersLogits || isPublished {
      activation = .sigmoid
    } else if model.hints.activations == nil {
      // Nothing is known about the graph. The Object Detection API exports scores "after applying score
      // conversion"; decoders verify that they are probabilities.
      activation = .none
    } else if head.columns == 1 {
      activation = .sigmoid
    } else {
      throw DetectionError(
        .ambiguousModel,
        "The scores of \(model: model.modelName), \(output), are not probabilities:"
          + " its graph ends without sigmoid or softmax",
        remedy:
          "Set the one they need: \(option: "activation", "sigmoid") or \(option: "activation", "softmax")")
    }

    let hasBackground: Bool
    let labels = model.hints.labels.map { labels in
      labels.count(among: [head.columns, head.columns - 1]).flatMap { labels.read(as: $0) } ?? labels
    }
    let namesBackground = labels?.namesBackground ?? false
    if let asked = model.hints.hasBackground {
      hasBackground = asked
    } else if head.columns == 1 || answersLogits {
      hasBackground = false
    } else if let labels, labels.count == head.columns || labels.count == head.columns - 1 {
      hasBackground = labels.count < head.columns || namesBackground
    } else if anchors != nil {
      hasBackground = false
    } else if graph == .softmax || activation == .softmax || isNamed {
      // A softmax without a background would find an object at each anchor. SSDs of the Object Detection API
      // always have this column: before the export, the tensor is `class_predictions_with_background`.
      hasBackground = true
    } else {
      throw DetectionError(
        .ambiguousModel,
        "It is unknown whether the first of the \(head.columns) scores of \(model: model.modelName)"
          + " is the background's",
        remedy: """
          Set \(option: "background", "first") or \(option: "background", "none"), \
          or give \(option: "labels") with \(head.columns) lines, or \(head.columns - 1) without the \
          background
          """
      )
    }
    guard !hasBackground || head.columns > 1 else {
      throw DetectionError(
        .familyMismatch,
        "\(model: model.modelName) has one score per anchor, so there can be no background class",
        remedy: "Leave out \(option: "background"), or give \(option: "background", "none")")
    }
    firstColumn = hasBackground ? 1 : 0
    classOffset = hasBackground && !(namesBackground && labels?.count == head.columns) ? 1 : 0
  }
}
