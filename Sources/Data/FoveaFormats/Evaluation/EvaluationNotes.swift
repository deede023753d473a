// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// Notes to show with the figures.
package enum EvaluationNotes {
  package static func notes(
    of truth: COCOGroundTruth, _ detections: COCODetections, _ report: DetectionReport
  ) -> [String] {
    var notes: [String] = []
    if detections.unknownImages > 0 {
      notes.append(
        DecimalText.counted(
          detections.unknownImages, "detection on an image that is", "detections on images that are")
          + " not in the ground truth, left out")
    }
    if detections.unknownCategories > 0 {
      notes.append(
        DecimalText.counted(
          detections.unknownCategories, "detection of a category that is", "detections of categories that are"
        )
          + " not in the ground truth, left out")
    }
    if detections.failedImages > 0 {
      notes.append(
        DecimalText.counted(detections.failedImages, "image", "images")
          + " failed in \(program: .call("detect")); "
          + "\(detections.failedImages == 1 ? "its" : "their") objects count as not found"
      )
    }
    let empty = detections.emptyImages
    if truth.images.count >= 10, detections.count > 0, empty * 2 > truth.images.count {
      notes.append(
        "\(empty) of \(truth.images.count) images of the ground truth have no detections, so their objects "
          + "count as not found; to evaluate some images, remove the others from the ground truth")
    }
    let count = detections.imagesByName.count
    if count > 0 {
      notes.append(
        count == 1
          ? "1 image was matched by file name only; its folder differs in the ground truth"
          : "\(count) images were matched by file name only; their folders differ "
            + "in the ground truth")
    }
    let ambiguous = detections.ambiguousImages.count
    if ambiguous > 0 {
      notes.append(
        DecimalText.counted(ambiguous, "rotated photo", "rotated photos")
          + " may be upright or stored in the ground truth, whose sizes do not show it; compared as stored, "
          + "so for an upright one detect with \(program: .flag("upright")) "
          + "\(program: .option("format", "coco"))")
    }
    if report.options.shape == .masks, detections.withoutMask > 0 {
      notes.append(
        DecimalText.counted(detections.withoutMask, "detection has", "detections have")
          + " no mask; with \(program: .option("iou", "masks")) "
          + (detections.withoutMask == 1
            ? "its box is compared as a mask" : "their boxes are compared as masks"))
    }
    if report.options.shape == .keypoints, detections.withoutKeypoints > 0 {
      notes.append(
        DecimalText.counted(detections.withoutKeypoints, "detection has", "detections have")
          + " no keypoints and \(detections.withoutKeypoints == 1 ? "counts" : "count") as wrong")
    }
    if let note = strangers(in: truth) { notes.append(note) }
    if report.detections == 0 { notes.append("there are no detections, so nothing was found") }
    if truth.annotations.isEmpty { notes.append("the ground truth has no objects, so there are no figures") }
    if truth.annotations.contains(where: { $0.id == 0 }) {
      notes.append(
        "an annotation has the id 0, which counts as never found, as in pycocotools; number from 1")
    }
    if Set(truth.annotations.lazy.map(\.id)).count < truth.annotations.count {
      notes.append("annotations share ids; each counts as the last one with its id, as in pycocotools")
    }
    return notes
  }

  /// The note on annotations of images or categories that the ground truth does not list.
  private static func strangers(in truth: COCOGroundTruth) -> String? {
    let found = truth.annotations.lazy.filter {
      truth.imageIndexes[$0.imageID] == nil || truth.categoryIndexes[$0.categoryID] == nil
    }
    guard let first = found.first else { return nil }
    let missing =
      truth.imageIndexes[first.imageID] == nil ? "image \(first.imageID)" : "category \(first.categoryID)"
    return DecimalText.counted(found.count, "annotation is", "annotations are")
      + " left out, as in pycocotools: id \(first.id) is of the \(missing), which is not listed"
  }
}
