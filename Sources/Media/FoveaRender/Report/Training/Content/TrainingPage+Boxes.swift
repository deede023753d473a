// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// How a detector's boxes and the learned names do together, measured in one way.
  package struct BoxFigures: Sendable, Hashable {
    /// How they were measured, as "out of fold" or "test images".
    package var name: String
    package var images: Int
    package var objects: Int
    /// How many boxes the detector has found.
    package var boxes: Int
    /// The share of objects that a box meets.
    package var recall: Double
    /// Of the boxes that meet an object, the share that gets a name.
    package var named: Double?
    /// Of these, the share that gets the right one.
    package var rightLabels: Double?
    /// AP50, the mean of the classes.
    package var averagePrecision: Double?
    /// AP50, had every box that meets an object got its name.
    package var averagePrecisionWithRightLabels: Double?

    /// Makes figures.
    package init(
      name: String, images: Int, objects: Int, boxes: Int, recall: Double, named: Double? = nil,
      rightLabels: Double? = nil, averagePrecision: Double? = nil,
      averagePrecisionWithRightLabels: Double? = nil
    ) {
      self.name = name
      self.images = images
      self.objects = objects
      self.boxes = boxes
      self.recall = recall
      self.named = named
      self.rightLabels = rightLabels
      self.averagePrecision = averagePrecision
      self.averagePrecisionWithRightLabels = averagePrecisionWithRightLabels
    }
  }
}
