// SPDX-License-Identifier: Apache-2.0

/// What a model is, as `fovea model inspect` shows it.
package struct ModelReport: Sendable, Equatable {
  struct Tensor: Sendable, Equatable {
    struct Quantization: Sendable, Equatable {
      var scale: Double
      var zeroPoint: Int
      /// How many channels have values of their own; 1 where all share one.
      var channels: Int
    }

    var name: String
    var type: String
    /// −1 where the model leaves a dimension open.
    var shape: [Int]
    var quantization: Quantization?
  }

  struct Labels: Sendable, Equatable {
    var count: Int
    var names: [String]
    var locales: [String]
    /// The file that they are from.
    var source = ""
    /// The form of the file, as `LabelForm` names it.
    var form = "lines"
    /// The form in words, with what was left out to read it; nil for a label a line of the model's own.
    var reading: String?
    /// How many classes the model has; nil where that is not known.
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
    /// Whether the normalisation is a guess, because neither the model nor its family gives one.
    var isNormalizationAssumed = false
    var threshold: Double?
  }

  /// How the image goes in, and where that was learned.
  struct Input: Sendable, Equatable {
    /// "top-left" or "center" for a letterbox; nil for an image that is stretched.
    var letterbox: String?
    /// The pixel value of a letterbox's bars.
    var padding: Int?
    /// Whether only the image's middle goes in.
    var isCropped = false
    var isBGR = false
    var isGrey = false
    var mean: [Double] = []
    var standardDeviation: [Double] = []
    /// "option", "metadata", "graph", "family", "assumed", or nil where raw pixels go in.
    var normalizationSource: String?
  }

  /// How a classifier's numbers become confidences.
  struct Confidences: Sendable, Equatable {
    /// "none", "sigmoid" or "softmax".
    var activation: String
    /// "option", "model", "assumed", or "values" where each image's numbers decide.
    var source: String
    /// Whether one number stands for two classes.
    var isBinary = false
  }

  struct Signature: Sendable, Equatable {
    var key: String
    var inputs: [String]
    var outputs: [String]
  }

  /// What one run of the model took.
  package struct Run: Sendable, Equatable {
    package var milliseconds: Double
    /// The most memory that the process held, in bytes; nil where the system does not say.
    package var peakMemory: Int?

    package init(milliseconds: Double, peakMemory: Int?) {
      self.milliseconds = milliseconds
      self.peakMemory = peakMemory
    }
  }

  /// Whether the model was to be run, and what that took.
  package enum Trial: Sendable, Equatable {
    case notAsked
    /// A model of text, which has no size before there is text.
    case impossible
    case done(Run)
    /// Why it did not run.
    case failed(String)
  }

  var path: String
  var fileSize: Int
  var sha256: String
  /// The family that decodes it; nil where none does.
  var family: String?
  /// Why this family, or why none.
  var reason: String?
  /// What would be needed to use it; empty where it can be used as it is.
  var needs: [String] = []
  /// What is repaired in memory before it runs, and how it computes where that is not as usual.
  var notes: [String] = []
  var inputs: [Tensor]
  var outputs: [Tensor]
  /// The operators of a model that cannot be examined; nil for others.
  var operators: [String]?
  var labels: Labels?
  var metadata: Metadata?
  var signatures: [Signature] = []
  /// nil where the model cannot be used.
  var input: Input?
  /// nil where the model is no classifier.
  var confidences: Confidences?
  var trial = Trial.notAsked
}
