// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaImage

/// `fovea embed`: computes features of photos, and finds similar ones.
struct EmbedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "embed",
    abstract: "Compute features of photos, and find similar ones.",
    usage: "fovea embed <path>… [options]",
    discussion: """
      Example: fovea embed query.jpg --like photos/
      --help-hidden lists all options.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A .tflite file, folder or name (default: built in).", valueName: "file"))
  var model: String?

  @Option(
    name: .customLong("like"),
    help: ArgumentHelp(
      "Compare to these photos, or to features in a file.", valueName: "path"))
  var likes: [String] = []

  /// The place to compare to; a second one is refused, since the parser would forget the first.
  var like: String? { likes.first }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of similar photos (default: 10).", valueName: "n"))
  var top: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only near duplicates: minimum similarity, -1 to 1.", valueName: "s"))
  var duplicates: Float?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a .csv, .npy or .jsonl file.", valueName: "file"))
  var output: String?

  @Flag(name: .shortAndLong, help: "No progress, notes or summary.")
  var quiet = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Input = (pixel − mean) ÷ std.", valueName: "mean,std", visibility: .hidden),
    transform: ChoiceArgument.normalization)
  var normalize: Normalization?

  @Option(
    help: ArgumentHelp(
      "Layer that the features come from: pool, last, or a tensor's name (default: pool).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.layer)
  var layer = ImageEmbedder.Options.Layer.pool

  @Flag(help: ArgumentHelp("Run a uint8 model as stored, not converted to int8.", visibility: .hidden))
  var exact = false

  func validate() throws {
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    guard likes.count < 2 else {
      throw ValidationError(
        "--like takes one folder or file, got \(likes.count): name a folder that has them all.")
    }
    if like?.isEmpty == true { throw ValidationError("--like needs the name of a folder or file.") }
    if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
    if like == "-" { throw ValidationError("--like needs the name of a folder or file, not '-'.") }
    for (name, isGiven) in [("top", top != nil), ("duplicates", duplicates != nil)] where isGiven {
      guard like != nil else { throw ValidationError("--\(name) needs --like, the photos to compare to.") }
    }
    try ModelOptions.checkCount(top, name: "top")
    if let duplicates, !(-1...1 ~= duplicates) {
      throw ValidationError("--duplicates must be between -1 and 1, got \(duplicates).")
    }
    guard let output else { return }
    try OutputEnding.refuseCompressed(output)
    let format = FeatureFormat(endingOf: output)
    if like != nil, format == nil || format == .npy {
      throw ValidationError("--output writes similar photos to .csv or .jsonl; name such a file.")
    }
    if format == nil {
      throw ValidationError("--output writes \(FeatureFormat.endingNames); name such a file.")
    }
  }

  func run() async throws {
    let source = try CommandFailure.exit(ExitCodes.unfinished) { () throws(FoveaError) in
      try ModelLookup.source(model)
    }
    ProcessSignals.install()
    let run = EmbedRun(
      paths: input.paths, recursive: input.recursive, shard: input.shard, jobs: jobs, limits: input.limits,
      output: output, format: output.flatMap(FeatureFormat.init(endingOf:)), like: like,
      top: top ?? (duplicates == nil ? 10 : nil), duplicates: duplicates, isQuiet: quiet,
      resources: [source?.path].compactMap(\.self), stop: StopSignal(listensToProcess: true))
    let (options, region) = (embedderOptions, input.roi?.box)
    let code = await run.execute { () async throws(FoveaError) in
      let embedder = try await ImageEmbedder(model: source ?? .embedded(.classifier), options: options)
      return FeatureModel(assumptions: embedder.assumptions) { (photo) async throws(FoveaError) in
        try await embedder.embedding(of: try photo.input(), region: region)
      }
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// The number of photos processed in parallel: with `--like`, a folder is embedded for one query too.
  private var jobs: Int { input.jobs ?? (like == nil ? input.effectiveJobs : Cores.available) }

  /// The library's options for these arguments.
  var embedderOptions: ImageEmbedder.Options {
    var shared = ObjectDetector.Options()
    input.apply(to: &shared)
    var options = ImageEmbedder.Options(shared)
    options.sessions = jobs
    options.layer = layer
    options.normalization = normalize
    options.exactArithmetic = exact
    return options
  }
}
