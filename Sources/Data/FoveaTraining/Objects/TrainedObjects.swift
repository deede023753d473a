// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// A trained classifier of a detector's boxes, with figures on how well the two name objects.
public struct TrainedObjects: Sendable {
  /// The classifier; its own figures are for crops, each evaluated by a head not trained on its image.
  public let classifier: TrainedLabels
  /// The quality of detected and named objects, each image evaluated by a head that was not trained on it.
  public var figures: ObjectFigures { record.figures }
  /// The quality of detected and named objects in test images; nil if there are none.
  public var testFigures: ObjectFigures? { record.testFigures }
  /// Images that could not be opened.
  public let failed: [TrainedLabels.Failed]

  /// Notes to show, as sentences without the final stop.
  package internal(set) var notes: [Advice]
  let record: ObjectRecord

  init(classifier: TrainedLabels, record: ObjectRecord, failed: [TrainedLabels.Failed], notes: [Advice]) {
    self.classifier = classifier
    self.record = record
    self.failed = failed
    self.notes = notes
  }

  /// Writes a folder like AutoML Vision Edge's, as ``TrainedLabels/write(to:replacing:)`` does.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - replaces: Whether to replace an existing trained model, false by default; other files are never
  ///     replaced.
  /// - Throws: As `TrainedLabels.write(to:replacing:)`.
  public func write(to folder: String, replacing replaces: Bool = false) throws(FoveaError) {
    try classifier.write(to: folder, replacing: replaces)
  }
}
