// SPDX-License-Identifier: Apache-2.0

/// The description of a model for `fovea model inspect`.
package struct ModelReport: Sendable, Equatable {
  struct Tensor: Sendable, Equatable {
    struct Quantization: Sendable, Equatable {
      var scale: Double
      var zeroPoint: Int
      /// The number of channels with their own values; 1 if all share one.
      var channels: Int
    }

    var name: String
    var type: String
    /// The shape, with −1 for an open dimension.
    var shape: [Int]
    var quantization: Quantization?
  }

  struct Labels: Sendable, Equatable {
    var count: Int
    var names: [String]
    var locales: [String]
    /// The file of the labels.
    var source = ""
    /// The form of the file, as `LabelForm` names it.
    var form = "lines"
    /// The form in words, with the parts that were ignored; nil for the model's own labels with one per line.
    var reading: String?
    /// The number of the model's classes; nil if unknown.
    var classCount: Int?
  }

  struct Metadata: Sendable, Equatable {
    var name: String?
    var description: String?
    var version: String?
    var author: String?
    var license: String?
    var mean: [Double] = []
    var standardDeviation: [Double] = []
    /// Whether the normalisation is a guess, because neither the model nor its family defines one.
    var isNormalizationAssumed = false
    var threshold: Double?
  }

  /// The preparation of the image, and the source of these facts.
  struct Input: Sendable, Equatable {
    /// "top-left" or "center" for a letterbox; nil for a stretched image.
    var letterbox: String?
    /// The pixel value of a letterbox's bars.
    var padding: Int?
    /// Whether only the image's centre is used.
    var isCropped = false
    var isBGR = false
    var isGrey = false
    var mean: [Double] = []
    var standardDeviation: [Double] = []
    /// "option", "metadata", "graph", "family", "assumed", or nil for raw pixels.
    var normalizationSource: String?
  }

  /// The conversion of a classifier's outputs to confidences.
  struct Confidences: Sendable, Equatable {
    /// "none", "sigmoid" or "softmax".
    var activation: String
    /// "option", "model", "assumed", or "values" if it depends on each image's numbers.
    var source: String
    /// Whether one number represents two classes.
    var isBinary = false
  }

  struct Signature: Sendable, Equatable {
    var key: String
    var inputs: [String]
    var outputs: [String]
  }

  /// The time and memory of one run of the model.
  package struct Run: Sendable, Equatable {
    package var milliseconds: Double
    /// The peak memory of the process in bytes; nil if the system does not report it.
    package var peakMemory: Int?

    package init(milliseconds: Double, peakMemory: Int?) {
      self.milliseconds = milliseconds
      self.peakMemory = peakMemory
    }
  }

  /// The outcome of a test run, if requested.
  package enum TestRun: Sendable, Equatable {
    case notAsked
    /// The model's input is text, whose size is not known without text.
    case impossible
    case done(Run)
    /// The reason why it did not run.
    case failed(String)
  }

  var path: String
  var fileSize: Int
  var sha256: String
  /// The family that decodes it; nil if there is none.
  var family: String?
  /// The kinds of results, as in `ModelInspection.finds`.
  var finds: [String] = []
  /// The reason for this family, or for none, without the model's path.
  var reason: String?
  /// The requirements for using it; empty if it can be used unchanged.
  var needs: [String] = []
  /// Repairs in memory before it runs, and unusual arithmetic.
  var notes: [String] = []
  var inputs: [Tensor]
  var outputs: [Tensor]
  /// The operators of a model that cannot be examined; nil for others.
  var operators: [String]?
  var labels: Labels?
  var metadata: Metadata?
  var signatures: [Signature] = []
  /// Nil if the model cannot be used.
  var input: Input?
  /// Nil if the model is not a classifier.
  var confidences: Confidences?
  var testRun = TestRun.notAsked
}
