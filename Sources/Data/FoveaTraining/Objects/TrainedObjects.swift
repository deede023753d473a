// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// A trained classifier of what a detector finds, and how well the two name objects.
public struct TrainedObjects: Sendable {
  /// The classifier; its own figures are those of crops, each judged by the head of a fold that had not seen its image.
  public let classifier: TrainedLabels
  /// How objects in the images are found and named, each image judged by a head that has not learned from it.
  public var figures: ObjectFigures { record.figures }
  /// How objects in test images are found and named; nil where there were none.
  public var testFigures: ObjectFigures? { record.testFigures }
  /// Images that could not be opened.
  public let failed: [TrainedLabels.Failed]

  /// What should be known, as sentences without the final stop.
  package internal(set) var notes: [Advice]
  let record: ObjectRecord

  init(classifier: TrainedLabels, record: ObjectRecord, failed: [TrainedLabels.Failed], notes: [Advice]) {
    self.classifier = classifier
    self.record = record
    self.failed = failed
    self.notes = notes
  }

  /// Writes the folder that AutoML Vision Edge wrote, as ``TrainedLabels/write(to:replacing:)``.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - replaces: Whether a trained model that is there is replaced, false by default; nothing else ever is.
  /// - Throws: As `TrainedLabels.write(to:replacing:)`.
  public func write(to folder: String, replacing replaces: Bool = false) throws(FoveaError) {
    try classifier.write(to: folder, replacing: replaces)
  }
}
