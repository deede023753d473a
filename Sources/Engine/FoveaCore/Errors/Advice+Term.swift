// SPDX-License-Identifier: Apache-2.0

extension Advice {
  /// An option or a tool that an advice names, whatever its reader calls it.
  ///
  /// Each reader has one table of words: `swift` here, the command line's and that of Google's names next to what they
  /// name. A new term does not compile until all have a word for it.
  package enum Term: Sendable, Hashable {
    /// What a model's scores need, with a value where one is advised: "sigmoid".
    case activation(String? = nil)
    /// Whether the first class is the background, with a value where one is advised.
    case background(Bool? = nil)
    /// The family of a detector, with its name where one is advised.
    case family(String? = nil)
    /// A label file, with what stands for its name where one is advised.
    case labels(isFile: Bool = false)
    /// The pixel values that a model was trained with, with what stands for them where they are to be given.
    case normalization(isValue: Bool = false)
    /// The greatest number of pixels of an image.
    case pixelLimit
    /// The sentence's end that names a limit which the Swift library alone can raise, by its name there.
    case raisedLimit(String)
    /// The sentence's end that names what runs a model of another kind.
    case otherModels
    /// What brings the LiteRT library to where it is found, as the begin of a sentence.
    case runtimeSetup
    /// The rules that tracks are evaluated by.
    case benchmark
    /// The sequences whose tracks are evaluated.
    case sequences
    /// What becomes of detections whose image or category the ground truth does not list.
    case unknownIDs
    /// Boxes in the rotated image in place of the stored one.
    case uprightBoxes
    /// The server that models come from.
    case modelHost
    /// The detector of objects.
    case detector
    /// The labeler of images.
    case labeler
    /// The tool that reports what a model is.
    case inspect
    /// The tool that compares a model with ML Kit's rules.
    case check
    /// The tool that writes metadata into a model, with its arguments.
    case addMetadata(String = "")
    /// The list of models that have names.
    case modelList
    /// The sentence's end that names the option by which a model that is there is replaced.
    case replacing
    /// The download of a model by its name.
    case download(String)
  }
}

extension Advice.Term {
  /// The words of the Swift library.
  package var swift: String {
    switch self {
    case .activation(let value): "Options.scoreActivation" + (value.map { " = .\($0)" } ?? "")
    case .background(let value): "Options.hasBackgroundClass" + (value.map { " = \($0)" } ?? "")
    case .family(let value): "Options.family" + (value.map { " = DetectorFamily(\"\($0)\")" } ?? "")
    case .labels: "Options.labelFile"
    case .normalization: "Options.normalization"
    case .pixelLimit: "ImageLimits.maxPixels"
    case .raisedLimit(let name): ", or raise \(name) if you trust its source"
    case .otherModels: "; in Swift, FoveaRuntime runs any model"
    case .runtimeSetup: "Run 'make setup' in the Fovea repository"
    case .benchmark: "TrackingBenchmark"
    case .sequences: "the names of the sequences"
    case .unknownIDs: "Options.unknownIDs"
    case .uprightBoxes: "upright()"
    case .modelHost: "ModelDownloader.Options.host"
    case .detector: "ObjectDetector"
    case .labeler: "ImageLabeler"
    case .inspect: "ModelInspection"
    case .check: "CompatibilityReport"
    case .addMetadata: "MetadataAddition"
    case .modelList: "ModelCatalogue.entries"
    case .replacing: ": write(to:replacing: true)"
    case .download: "ModelDownloader.download"
    }
  }
}
