// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The ground truth's objects in the order of kind and image.
struct GroundTruthTable {
  /// The facts about an object that matching needs.
  struct Row {
    var box: COCOBox
    var isCrowd: Bool
    /// One bit for each range of sizes in which the object does not count; all bits for a crowd, and for an
    /// object without a labelled keypoint if keypoints are compared.
    var ignored: UInt8
    /// Whether a match counts; false for the id 0.
    var isCounted: Bool
  }

  private(set) var rows: [Row] = []
  /// The mask of each row; empty if boxes are compared.
  private(set) var masks: [RunLengths?] = []
  /// The keypoints and the area of each row; empty unless keypoints are compared.
  private(set) var keypoints: [(points: [COCOKeypoint], area: Double)] = []
  let groups: GroupedOrder

  init(_ groundTruth: COCOGroundTruth, isClassAgnostic: Bool, shape: DetectionEvaluator.Shape) {
    let annotations = groundTruth.annotations
    var lastWithID: [Int: Int] = [:]
    lastWithID.reserveCapacity(annotations.count)
    for (index, annotation) in annotations.enumerated() { lastWithID[annotation.id] = index }

    var images: [Int32] = []
    var categories: [Int32] = []
    // Image by image, as the reference collects them: if ids occur twice, the result depends on this order.
    for listed in GroundTruthTable.byImage(groundTruth) {
      if !isClassAgnostic && groundTruth.categoryIndexes[annotations[listed].categoryID] == nil { continue }
      let annotation = annotations[lastWithID[annotations[listed].id] ?? listed]
      guard let image = groundTruth.imageIndexes[annotation.imageID],
        let category = groundTruth.categoryIndexes[annotation.categoryID]
      else { continue }
      images.append(Int32(truncatingIfNeeded: image))
      categories.append(Int32(truncatingIfNeeded: category))
      rows.append(
        Row(
          box: annotation.box, isCrowd: annotation.isCrowd,
          ignored: annotation.isCrowd || shape == .keypoints && annotation.labelledKeypoints == 0
            ? 0b1111 : AreaRange.outside(annotation.area),
          isCounted: annotation.id != 0))
      if shape == .masks { masks.append(annotation.mask) }
      if shape == .keypoints { keypoints.append((annotation.keypoints, annotation.area)) }
    }
    groups = GroupedOrder(
      images: images, categories: categories, of: groundTruth, isClassAgnostic: isClassAgnostic)
  }

  /// Returns the annotations of listed images, image by image.
  private static func byImage(_ groundTruth: COCOGroundTruth) -> [Int] {
    var listed: [(image: Int, index: Int)] = []
    for (index, annotation) in groundTruth.annotations.enumerated() {
      guard let image = groundTruth.imageIndexes[annotation.imageID] else { continue }
      listed.append((image, index))
    }
    listed.sort { $0 < $1 }
    return listed.map(\.index)
  }
}

extension GroupedOrder {
  /// Groups rows by kind and image.
  ///
  /// Without categories, all rows are of one kind, but the categories still order equal scores.
  init(images: [Int32], categories: [Int32], of groundTruth: COCOGroundTruth, isClassAgnostic: Bool) {
    if isClassAgnostic {
      self.init(
        images: images, imageCount: groundTruth.images.count, thenCategories: categories,
        categoryCount: groundTruth.categories.count)
    } else {
      self.init(
        images: images, imageCount: groundTruth.images.count, categories: categories,
        categoryCount: groundTruth.categories.count)
    }
  }
}
