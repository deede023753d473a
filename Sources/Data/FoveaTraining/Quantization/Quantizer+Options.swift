// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore

extension Quantizer {
  /// The rules of a quantisation.
  public struct Options: Sendable {
    /// Facts that the model does not declare, the threads, and the limits of images.
    public var model = ObjectDetector.Options()
    /// The least agreement with the float model, 0…1; default 0.9.
    ///
    /// A lower one accepts a worse model.
    public var leastAgreement = 0.9
    /// The layers that stay float in any case, by the name of their output; default none.
    public var keptLayers: [String] = []
    /// The most layers that are float besides, 0…10,000; default 20.
    ///
    /// The search keeps noisy layers float, and small ones between them, which int8 does not make faster, are
    /// float with them. With more layers in float a model agrees better and is slower.
    public var mostFloatLayers = 20
    /// The path of the correct results of some of the photos: COCO's instances as a `.json` file for
    /// detectors, a folder with a folder for each class or a CSV file for classifiers; nil, the default, for
    /// none.
    public var groundTruth: String?
    /// The measurement of the runs of both models.
    package var timer = TurnTimer()

    /// Creates the default rules.
    public init() {}

    func check() throws(FoveaError) {
      try OptionChecks.range("at-least", leastAgreement, 0...1, property: "leastAgreement")
      try OptionChecks.range("float-layers", mostFloatLayers, 0...10_000, property: "mostFloatLayers")
    }
  }

  /// A step of the work, with what is done and what there is.
  package enum Step: Sendable, Hashable {
    /// So many photos choose the ranges.
    case photos(Int)
    case ranges(Int, of: Int)
    case noise(Int, of: Int)
    case comparison(floatLayers: Int)

    /// The part of the work that is done, 0…1; the number of comparisons is not known before.
    package var part: Double {
      switch self {
      case .photos: 0
      case .ranges(let done, let all): 0.4 * Double(done) / Double(max(all, 1))
      case .noise(let done, let all): 0.4 + 0.5 * Double(done) / Double(max(all, 1))
      case .comparison: 0.9
      }
    }
  }
}
