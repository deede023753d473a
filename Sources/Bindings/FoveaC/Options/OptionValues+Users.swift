// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage

extension OptionValues {
  private static let detector: Set<String> = common.union([
    "max-objects", "single", "slice", "slice-size", "slice-overlap", "classifier", "no-classify",
    "label-threshold", "max-labels", "family", "background", "iou", "cross-class-iou", "fit",
    "class-agnostic",
  ])
  private static let labeler: Set<String> = common.union(["max-results"])

  /// What was said, for a detector.
  func detectorOptions() throws(FoveaError) -> ObjectDetector.Options {
    try check(Self.detector, of: "detector")
    guard classifier == nil || noClassify != true else {
      throw .optionInvalid(
        "The options 'classifier' and 'no-classify' exclude each other", remedy: "Give one of them")
    }
    var options = ObjectDetector.Options()
    options.threshold = threshold
    options.maxObjects = maxObjects
    options.singleObject = single ?? false
    options.slicing = slicing
    if let classifier { options.classifier = .model(.file(classifier)) }
    if noClassify == true { options.classifier = .none }
    options.labelThreshold = labelThreshold
    options.maxLabels = maxLabels ?? options.maxLabels
    options.needsMaxLabels = maxLabels != nil
    options.allowedLabels = allow ?? []
    options.deniedLabels = deny ?? []
    options.labelFile = labels
    options.locale = locale
    options.normalization = normalize
    options.exactArithmetic = exact ?? false
    options.family = family
    options.scoreActivation = activation
    options.hasBackgroundClass = background
    options.suppression.iouThreshold = iou
    options.suppression.crossClassIoU = crossClassIoU
    options.suppression.isClassAgnostic = classAgnostic ?? false
    options.fit = fit
    options.threads = threads
    options.sessions = sessions ?? 1
    options.reducedSizeDecoding = isScaled ?? true
    options.imageLimits = limits
    return options
  }

  /// What was said, for a labeler.
  func labelerOptions() throws(FoveaError) -> ImageLabeler.Options {
    try check(Self.labeler, of: "labeler")
    var options = ImageLabeler.Options()
    options.threshold = threshold
    options.maxResults = maxResults ?? options.maxResults
    options.allowedLabels = allow ?? []
    options.deniedLabels = deny ?? []
    options.labelFile = labels
    options.locale = locale
    options.normalization = normalize
    options.exactArithmetic = exact ?? false
    options.scoreActivation = activation
    options.threads = threads
    options.sessions = sessions ?? 1
    options.reducedSizeDecoding = isScaled ?? true
    options.imageLimits = limits
    return options
  }

  private var slicing: Slicing? {
    guard slice == true || sliceSize != nil || sliceOverlap != nil else { return nil }
    var slicing = Slicing()
    slicing.tileSize = sliceSize
    slicing.overlap = sliceOverlap ?? slicing.overlap
    return slicing
  }

  private var limits: ImageLimits {
    var limits = ImageLimits()
    limits.maxPixels = maxPixels ?? limits.maxPixels
    return limits
  }
}
