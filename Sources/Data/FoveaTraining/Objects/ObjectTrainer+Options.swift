// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore

extension ObjectTrainer {
  /// Whose boxes are named, and how names are learned.
  public struct Options: Sendable {
    /// What is learned on the crops, and how; folds keep the crops of an image together.
    public var classifier = LabelTrainer.Options()
    /// The detector whose boxes get names, the embedded localizer by default; its own classes do not count.
    ///
    /// The one that is used with the trained classifier later: what it finds that is no object of the classes is learned as
    /// none of them.
    public var detector = ModelSource.embedded(.localizer)
    /// The most boxes of an image, 1 or more, 20 by default, as for `ObjectDetector.Classifier.relabeling(_:)`.
    ///
    /// More find more objects, and more that is none.
    public var maxObjects = 20
    /// What the detector is called where it is written down; nil takes its file's name.
    package var detectorName: String?

    /// The defaults.
    public init() {}

    /// What the detector is called.
    package var nameOfDetector: String {
      detectorName ?? detector.path?.split(separator: "/").last.map { String($0) } ?? "localizer"
    }

    /// Throws `option-invalid` for values out of range.
    func check() throws(FoveaError) {
      try classifier.check()
      if maxObjects < 1 {
        throw .optionInvalid("maxObjects is \(maxObjects); it must be 1 or more", remedy: "Give 20")
      }
      if classifier.isMultiLabel == true {
        throw .optionInvalid(
          "Several labels were asked for, and a box has one", remedy: "Leave that out, or train on photos")
      }
    }
  }
}
