// SPDX-License-Identifier: Apache-2.0

/// The agreement of class maps with the ground truth, over the pixels of all images; fractions are 0…1.
///
/// With *nᵢⱼ* pixels of class *i* that the maps show as class *j*, *tᵢ* = Σⱼ *nᵢⱼ* pixels of class *i*, and
/// *mᵢ* = Σⱼ *nⱼᵢ* pixels shown as class *i*:
///
/// - IoU of a class: *nᵢᵢ* ÷ (*tᵢ* + *mᵢ* − *nᵢᵢ*)
/// - accuracy of a class: *nᵢᵢ* ÷ *tᵢ*
/// - pixel accuracy: Σᵢ *nᵢᵢ* ÷ Σᵢ *tᵢ*
/// - frequency-weighted IoU: Σᵢ *tᵢ* · IoUᵢ ÷ Σᵢ *tᵢ*
///
/// Void pixels of the ground truth do not count. A pixel without a class in the map counts in *tᵢ* and in no
/// *mᵢ*, so it is wrong.
///
/// **Source:** PASCAL VOC's development kit, `VOCevalseg.m`, for IoU and void pixels; Long, Shelhamer and
/// Darrell, "Fully Convolutional Networks for Semantic Segmentation" (2015), section 5, for the others. The
/// mean is over the classes that occur, as in torchmetrics 1.9.0, `MulticlassJaccardIndex` with the average
/// `macro`; the development kit's is over all classes of VOC, all of which occur in its sets.
package struct MapMetrics: Sendable, Hashable {
  /// The figures of one class.
  package struct ClassFigures: Sendable, Hashable {
    /// The number of the class, 0…254.
    package let classIndex: Int
    /// The number of pixels of the class in the ground truth.
    package fileprivate(set) var truthCount = 0
    /// The number of pixels that the maps show as the class.
    package fileprivate(set) var mapCount = 0
    /// The number of pixels that have the class in both.
    package fileprivate(set) var intersection = 0

    fileprivate init(_ classIndex: Int) { self.classIndex = classIndex }

    /// The number of pixels that have the class in one of both, 1 or more.
    package var union: Int { truthCount + mapCount - intersection }
    /// The share of the intersection in the union.
    package var iou: Double { Double(intersection) / Double(union) }
    /// The share of the class's pixels that the maps show as it; nil if the ground truth has none.
    package var accuracy: Double? { ratio(intersection, truthCount) }
  }

  /// The counted pixels of each class, by their classes in the maps.
  package let confusion: ConfusionTable
  /// The number of void pixels, which do not count.
  package let voidCount: Int
  /// The classes that occur in the ground truth or in the maps, by their numbers.
  package let classes: [ClassFigures]
  /// The number of counted pixels without a class in the maps.
  package let unclassifiedCount: Int

  /// Computes the figures of a tally.
  /// - Complexity: O(*n* log *n*) for *n* pairs of classes.
  package init(_ tally: MapTally) {
    confusion = tally.confusion
    voidCount = tally.voidCount
    var found: [Int: ClassFigures] = [:]
    var unclassified = 0
    for (pair, count) in tally.confusion.counts {
      found[pair.given, default: ClassFigures(pair.given)].truthCount += count
      guard let answered = pair.answered else {
        unclassified += count
        continue
      }
      found[answered, default: ClassFigures(answered)].mapCount += count
      if answered == pair.given { found[answered, default: ClassFigures(answered)].intersection += count }
    }
    classes = found.values.sorted { $0.classIndex < $1.classIndex }
    unclassifiedCount = unclassified
  }

  /// The number of counted pixels.
  package var pixelCount: Int { classes.reduce(0) { $0 + $1.truthCount } }
  /// The mean IoU of the classes that occur in the ground truth or in the maps; nil without counted pixels.
  package var meanIoU: Double? { mean(classes.map(\.iou)) }
  /// The share of counted pixels whose class is right; nil without counted pixels.
  package var pixelAccuracy: Double? { ratio(classes.reduce(0) { $0 + $1.intersection }, pixelCount) }
  /// The mean accuracy of the classes that the ground truth has; nil without counted pixels.
  package var meanAccuracy: Double? { mean(classes.compactMap(\.accuracy)) }
  /// The mean IoU, weighted by the pixels of each class in the ground truth; nil without counted pixels.
  package var frequencyWeightedIoU: Double? {
    let sum = classes.reduce(0) { $0 + Double($1.truthCount) * $1.iou }
    return pixelCount == 0 ? nil : sum / Double(pixelCount)
  }
}
