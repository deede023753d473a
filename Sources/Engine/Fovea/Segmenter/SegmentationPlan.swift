// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The parts that all sessions of one segmenter share: how to fill its input and how to read its map.
struct SegmentationPlan: Sendable {
  let loaded: LoadedModel
  let input: ImageInputTensor
  let head: MapHead
  /// The names of the classes by index; empty if there are none.
  let labels: [String]
  let options: ImageSegmenter.Options
  private let labelMap: LabelMap?

  init(_ model: ModelSource, _ options: ImageSegmenter.Options) throws {
    try options.check()
    loaded = try LoadedModel(
      TaskBundle(model)?.segmenter() ?? model, labelFile: options.labelFile, exact: options.exactArithmetic)
    self.options = options
    let profile = ModelProfile(loaded, options.description, session: options.session)
    head = try profile.mapHead(asked: options.family)
    input = try ImageInputTensor(
      modelName: loaded.name, signature: loaded.signature, metadata: loaded.metadata,
      normalization: options.normalization, family: head.family.input,
      scale: options.normalization == nil ? try loaded.pixelScale() : nil,
      takesRawPixels: loaded.isRewritten)
    labelMap = try loaded.labels(output: loaded.labelOutputIndex ?? 0, locale: options.locale)
    labels = try Self.names(labelMap, head, modelName: loaded.name)
  }

  /// The notes about the model's file.
  var remarks: [String] { loaded.remarks(labelMap) }

  /// The name of the first of two classes if only the other one has a label.
  static let background = "background"
  /// The name of the second of two classes of a model without labels.
  private static let foreground = "foreground"

  /// Returns the names of the classes, one for each.
  /// - Throws: `metadata-count-mismatch` for labels that do not fit the classes.
  static func names(
    _ labels: LabelMap?, _ head: MapHead, modelName: String
  ) throws(FoveaError) -> [String] {
    guard let labels else {
      return head.family == .mask ? [background, foreground] : []
    }
    if head.family == .mask, labels.count == 1 { return [background] + (labels.displayNames ?? labels.names) }
    guard let count = head.classCount else { return labels.displayNames ?? labels.names }
    do throws(MetadataError) {
      let fitted = try labels.fitted(to: count, of: "output 0 \(head.output) of '\(modelName)'")
      return fitted.displayNames ?? fitted.names
    } catch {
      var error = FoveaError(error)
      if head.family == .mask {
        error.remedy = "Give a label file with 1 line for the foreground, or with 2, the background first"
      }
      throw error
    }
  }

  /// Throws `labels-do-not-fit` for a class number without a label.
  static func check(
    _ cells: MapCells, _ head: MapHead, labels: [String], modelName: String
  ) throws(FoveaError) {
    guard head.classCount == nil, !labels.isEmpty,
      let number = cells.classes.lazy.filter({ $0 != MapHead.noClass }).max(), number >= labels.count
    else { return }
    throw FoveaError(
      FoveaCode(DetectionCode.labelsDoNotFit),
      "'\(modelName)' returned the class \(number), but there are only \(labels.count) labels",
      remedy: "Give the label file that belongs to the model, one line for each class")
  }
}
