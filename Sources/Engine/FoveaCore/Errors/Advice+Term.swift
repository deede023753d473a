// SPDX-License-Identifier: Apache-2.0

extension Advice {
  /// An option or a tool that an advice names, whatever its reader calls it.
  ///
  /// Each reader has one rule for options and one for commands, `swift` and `program` here, others next to what they
  /// name, and words of its own only for what no rule fits.
  package enum Term: Sendable, Hashable {
    /// An option of models, with a value if one is advised: "activation", "sigmoid".
    case option(String, String? = nil)
    /// An option that only programs have, and the words for readers without them.
    case flag(String, String? = nil)
    /// A command of the programs, and what Swift has in its place.
    case command(String, String? = nil)
    /// A command as a line to type, and what Swift has in its place.
    case call(String, String? = nil)
    /// The sentence's end that names a limit which only the Swift library can raise, by its name there.
    case raisedLimit(String)
    /// The sentence's end that names what runs a model of another kind.
    case otherModels
    /// The begin of a sentence about what brings the LiteRT library to where it is found.
    case runtimeSetup
    /// The server that models come from.
    case modelHost
    /// The detector of objects.
    case detector
    /// The labeler of images.
    case labeler

    /// The sequences whose tracks are evaluated.
    package static let sequences = Self.flag("sequences", "the names of the sequences")
    /// The tool that reports what a model is.
    package static let inspect = Self.command("model inspect", "ModelInspection")
    /// The list of models that have names.
    package static let modelList = Self.command("model list", "ModelCatalogue.entries")
    /// The download of a model by its name.
    package static func download(_ name: String) -> Self {
      Self.command("model pull \(name)", "ModelDownloader.download")
    }
    /// The tool that writes metadata into a model, with its arguments.
    package static func addMetadata(_ arguments: String = "") -> Self {
      Self.call("model add-metadata" + (arguments.isEmpty ? "" : " \(arguments)"), "MetadataAddition")
    }
  }
}

extension Advice.Term {
  /// The words of the Swift library.
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
    }
  }

  /// The words of those who run the programs.
  package var program: String {
    switch self {
    case .option(let name, let value): "--\(name)" + (value.map { " \($0)" } ?? "")
    case .flag(let name, _): "--\(name)"
    case .command(let words, _): "'fovea \(words)'"
    case .call(let words, _): "fovea \(words)"
    case .raisedLimit: ""
    case .otherModels, .runtimeSetup, .modelHost, .detector, .labeler: swift
    }
  }

  /// An option of models in Swift, which has another name and values of a type for some.
  private static func setting(_ name: String, _ value: String?) -> String {
    switch name {
    case "activation": "Options.scoreActivation" + (value.map { " = .\($0)" } ?? "")
    case "background": "Options.hasBackgroundClass" + (value.map { " = \($0 == "first")" } ?? "")
    case "family": "Options.family" + (value.map { " = DetectorFamily(\"\($0)\")" } ?? "")
    case "labels": "Options.labelFile"
    case "max-pixels": "ImageLimits.maxPixels"
    case "normalize": "Options.normalization"
    default: "Options.\(property(name))"
    }
  }

  /// The name that an option has in Swift by the rule: `maxObjects` for "max-objects".
  package static func property(_ name: String) -> String {
    name.split(separator: "-").enumerated().reduce(into: "") { property, word in
      property +=
        word.offset == 0
        ? String(word.element) : word.element.prefix(1).uppercased() + word.element.dropFirst()
    }
  }
}

extension DefaultStringInterpolation {
  /// Adds a term to a text that only those who run the programs read.
  package mutating func appendInterpolation(program term: Advice.Term) { appendLiteral(term.program) }
}
