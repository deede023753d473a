// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore

extension ObjectTrainer {
  /// The detector whose boxes are named, and the options for training names.
  public struct Options: Sendable {
    /// The training options for crops; folds keep the crops of an image together.
    public var classifier = LabelTrainer.Options()
    /// The detector whose boxes get names, the embedded localizer by default; its own classes are ignored.
    ///
    /// Use the detector that the trained classifier will be used with: its boxes that contain no object of
    /// the classes are used as counterexamples.
    public var detector = ModelSource.embedded(.localizer)
    /// The maximum number of boxes per image, at least 1, 20 by default, as in
    /// `ObjectDetector.Classifier.relabeling(_:)`.
    ///
    /// More boxes find more objects, and more boxes without an object.
    public var maxObjects = 20
    /// The detector's name in files; nil uses its file's name.
    package var detectorName: String?

    /// Creates the default options.
    public init() {}

    /// The detector's name in files.
    package var nameOfDetector: String {
      detectorName ?? detector.path?.split(separator: "/").last.map { String($0) } ?? "localizer"
    }

    /// Throws `option-invalid` for values out of range.
    func check() throws(FoveaError) {
      try classifier.check()
      if maxObjects < 1 {
        throw .optionInvalid("maxObjects is \(maxObjects); it must be 1 or more", remedy: "Use 20")
      }
      if classifier.isMultiLabel == true {
        throw .optionInvalid(
          "several labels were requested, but a box has only one",
          remedy: "Leave out that option, or train on photos")
      }
    }
  }
}
