// SPDX-License-Identifier: Apache-2.0

extension Advice {
  /// An option or a tool that a piece of advice names, independent of its reader.
  ///
  /// Each kind of reader has one rule for options and one for commands, and its own words only for terms
  /// without a rule. The rules of Swift and of the programs are `swift` and `program` here; others are next
  /// to the features they name.
  package enum Term: Sendable, Hashable {
    /// An option of models, with a value if the advice recommends one, such as "activation" with "sigmoid".
    case option(String, String? = nil)
    /// An option that only programs have, and the words for readers without programs.
    case flag(String, String? = nil)
    /// A command of the programs, and its counterpart in Swift.
    case command(String, String? = nil)
    /// A command as a line to type, and its counterpart in Swift.
    case call(String, String? = nil)
    /// The end of a sentence that names a limit by its Swift name, because only the Swift library can raise
    /// it.
    case raisedLimit(String)
    /// The end of a sentence that names the module that runs models of other kinds.
    case otherModels
    /// The start of a sentence about how to install the LiteRT library.
    case runtimeSetup
    /// The server that models are downloaded from.
    case modelHost
    /// The detector of objects.
    case detector
    /// The labeler of images.
    case labeler
    /// The segmenter of images, and the family to read the model as.
    case segmenter(family: String? = nil)
    /// The embedder of images.
    case embedder

    /// The option for the layer of a graph that an embedding comes from.
    package static let layer = Self.flag("layer", "Options.layer")
    /// The option for the sequences whose tracks are evaluated.
    package static let sequences = Self.flag("sequences", "the names of the sequences")
    /// The tool that describes a model.
    package static let inspect = Self.command("model inspect", "ModelInspection")
    /// The list of the models that can be downloaded by name.
    package static let modelList = Self.command("model list", "ModelCatalogue.entries")
    /// Returns the download of a model by its name.
    package static func download(_ name: String) -> Self {
      Self.command("model pull \(name)", "ModelDownloader.download")
    }
    /// Returns the tool that writes metadata into a model, with its arguments.
    package static func addMetadata(_ arguments: String = "") -> Self {
      Self.call("model add-metadata" + (arguments.isEmpty ? "" : " \(arguments)"), "MetadataAddition")
    }
  }
}

extension Advice.Term {
  /// The term in the words of the Swift library.
  package var swift: String {
    switch self {
    case .option(let name, let value): Self.setting(name, value)
    case .flag(_, let words?), .command(_, let words?), .call(_, let words?): words
    case .flag, .command, .call: program
    case .raisedLimit(let name): ", or raise \(name) if you trust its source"
    case .otherModels: "; in Swift, FoveaRuntime runs any model"
    case .runtimeSetup: "Run 'make setup' in the Fovea repository"
    case .modelHost: "ModelDownloader.Options.host"
    case .detector: "ObjectDetector"
    case .labeler: "ImageLabeler"
    case .segmenter(let family): "ImageSegmenter" + (family.map { " with the family '\($0)'" } ?? "")
    case .embedder: "ImageEmbedder"
    }
  }

  /// The term in the words of the programs' users.
  package var program: String {
    switch self {
    case .option(let name, let value): "--\(name)" + (value.map { " \($0)" } ?? "")
    case .flag(let name, _): "--\(name)"
    case .command(let words, _): "'fovea \(words)'"
    case .call(let words, _): "fovea \(words)"
    case .segmenter(let family?): Self.call("segment").program + " " + Self.option("family", family).program
    case .segmenter: Self.command("segment").program
    case .embedder: Self.command("embed").program
    case .raisedLimit: ""
    case .otherModels, .runtimeSetup, .modelHost, .detector, .labeler: swift
    }
  }

  /// Returns the Swift form of a model option; some options have another name and typed values in Swift.
  private static func setting(_ name: String, _ value: String?) -> String {
    switch name {
    case "activation": "Options.scoreActivation" + (value.map { " = .\($0)" } ?? "")
    case "at-least": "Options.leastAgreement"
    case "background": "Options.hasBackgroundClass" + (value.map { " = \($0 == "first")" } ?? "")
    case "float-layers": "Options.mostFloatLayers"
    case "keep-float": "Options.keptLayers"
    case "family": "Options.family" + (value.map { " = DetectorFamily(\"\($0)\")" } ?? "")
    case "labels": "Options.labelFile"
    case "landmark-iou": "Options.landmarkIoU"
    case "max-pixels": "ImageLimits.maxPixels"
    case "normalize": "Options.normalization"
    default: "Options.\(property(name))"
    }
  }

  /// Returns an activation as a property of the model, for readers who cannot set the option.
  package static func graphEnd(_ activation: String?) -> String {
    "a \(activation ?? "sigmoid or softmax") at the end of its graph"
  }

  /// Returns the name of an option in Swift by the rule: `maxObjects` for "max-objects".
  package static func property(_ name: String) -> String {
    name.split(separator: "-").enumerated().reduce(into: "") { property, word in
      property +=
        word.offset == 0
        ? String(word.element) : word.element.prefix(1).uppercased() + word.element.dropFirst()
    }
  }
}

extension DefaultStringInterpolation {
  /// Appends a term to text that only the programs' users read.
  package mutating func appendInterpolation(program term: Advice.Term) { appendLiteral(term.program) }
}
