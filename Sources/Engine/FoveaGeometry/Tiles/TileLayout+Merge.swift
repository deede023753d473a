// SPDX-License-Identifier: Apache-2.0

extension TileLayout {
  /// Merges the detections of all tiles, so that each object is reported once and whole.
  ///
  /// A box that ends at a border between tiles is *cut*: it shows part of an object. The others are *whole*.
  /// Only boxes of one class are merged, best first, and two boxes of one tile are never considered the same
  /// object, because the model saw both there.
  ///
  /// 1. A whole box takes from each other tile the whole box with the largest IoU above 0.6. Their edges are
  ///    averaged, weighted by score and by the scale at which the tile showed the image; the best score
  ///    counts.
  /// 2. It absorbs cut boxes that it explains: those that agree with it in the part of the image that both
  ///    tiles show (IoU above 0.5), or that lie inside it with 0.8 of their area.
  /// 3. Remaining cut boxes are joined across borders by the same rule, and the joined box gets the lowest
  ///    score of its parts. A cut box that no other tile confirms is dropped: a coarser tile shows the object
  ///    whole and found none.
  ///
  /// - Parameter detections: The detections, in any order. Boxes that are empty or infinite, scores that are
  ///   not finite and tiles that the layout does not have are ignored.
  /// - Returns: The merged detections by falling score; `tile` is that of the box with the best score. If the
  ///   whole region is the only tile, the same detections.
  /// - Complexity: O(n · t + n · k) for n detections, t tiles, and k detections in the tiles that show a box.
  ///
  /// **Source:** averaging: Solovyev et al., "Weighted boxes fusion", 2021; comparing the shared part of
  /// tiles: Kos, "Overlapping Box Suppression and Merging Algorithms for Window-Based Object Detection",
  /// 2025. docs/lab/tiles.md has the measurements behind each rule and number.
  package func merged(_ detections: [TileDetection]) -> [TileDetection] {
    var merge = TileMerge(layout: self, detections: detections)
    return merge.run()
  }
}

/// A box that a detector found in one tile of an image.
package struct TileDetection: Sendable, Hashable {
  /// The box, in pixels of the image.
  package var box: BoundingBox
  /// The detector's score for the object, 0…1.
  package var score: Float
  /// The class, from 0; nil for a detector of one class.
  package var classIndex: Int?
  /// The tile that showed it, as an index of `TileLayout.tiles`; 0 is the whole region.
  package var tile: Int
  /// The keypoints of the object, in pixels of the image and in the detector's order.
  ///
  /// Of merged detections, those of the one with the best score count.
  package var keypoints: [PixelPoint]
  /// The probability of each keypoint to be visible, 0…1; empty for models without them.
  package var keypointScores: [Float]
  /// The shape of the object, in pixels of the image; nil if the detector finds none.
  ///
  /// Of merged detections, that of the one with the best score counts, inside the averaged box; of joined
  /// parts, all.
  package var mask: ObjectMask?
  /// The rotated box, in pixels of the image; nil if the detector finds none.
  ///
  /// Of merged detections, that of the one with the best score counts.
  package var orientedBox: OrientedBox?
  /// The square that a landmark model reads, in pixels of the upright image; nil if none follows.
  ///
  /// Of merged detections, that of the one with the best score counts.
  package var square: OrientedBox?
  /// The depths and other values of keypoints that a landmark model found; nil for other keypoints.
  ///
  /// Of merged detections, those of the one with the best score count.
  package var landmarkDetails: LandmarkDetails?

  /// Creates a detection.
  package init(
    box: BoundingBox, score: Float, classIndex: Int?, tile: Int = 0, keypoints: [PixelPoint] = [],
    keypointScores: [Float] = [], mask: ObjectMask? = nil, orientedBox: OrientedBox? = nil,
    square: OrientedBox? = nil
  ) {
    self.box = box
    self.score = score
    self.classIndex = classIndex
    self.tile = tile
    self.keypoints = keypoints
    self.keypointScores = keypointScores
    self.mask = mask
    self.orientedBox = orientedBox
    self.square = square
  }
}
