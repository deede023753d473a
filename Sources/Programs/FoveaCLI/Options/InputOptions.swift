// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// The images to read, and how to process them.
struct InputOptions: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("Photos, folders, patterns; '-' for standard input.", valueName: "path"))
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Search subfolders too.")
  var recursive = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Process part i of n, from 0, by a hash of each path.", valueName: "i/n"))
  var shard: Shard?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Process only this region, in stored pixels.", valueName: "x,y,w,h"))
  var roi: Region?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Photos processed in parallel (default: one per core).", valueName: "n"))
  var jobs: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Threads per photo.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "Decode at the needed size (scaled) or in full size (default: scaled).", valueName: "scaled|full",
      visibility: .hidden), transform: ChoiceArgument.value)
  var decode = DecodeMode.scaled

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if paths.contains("") { throw ValidationError("A path is empty.") }
    if paths.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("'-' is one image and can be given only once.")
    }
    if let problem = shard?.problem { throw ValidationError("--shard: \(problem).") }
    if shard != nil && paths.contains("-") {
      throw ValidationError("--shard splits files and folders, but '-' is one image.")
    }
    try ModelOptions.checkCount(jobs, name: "jobs")
    if let jobs, jobs > 256 { throw ValidationError("--jobs must be at most 256, got \(jobs).") }
    var options = ObjectDetector.Options()
    options.threads = threads
    try ModelOptions.check(options.check)
  }

  /// The number of images processed in parallel: `--jobs`, else 1 for a single input and all cores for
  /// several.
  var effectiveJobs: Int { jobs ?? (InputExpander.isBatch(paths) ? Cores.available : 1) }

  /// The limits of a single image.
  var limits: ImageLimits { pixels.limits }

  /// Applies these options to those of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    options.threads = threads
    options.sessions = effectiveJobs
    options.reducedSizeDecoding = decode == .scaled
    options.imageLimits = limits
  }
}

/// The limits of a single image.
struct PixelLimitOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of pixels of a photo.", valueName: "n", visibility: .hidden))
  var maxPixels: Int?

  func validate() throws {
    var options = ObjectDetector.Options()
    options.imageLimits = limits
    try ModelOptions.check(options.check)
  }

  /// The default limits with `--max-pixels` applied.
  var limits: ImageLimits {
    var limits = ImageLimits()
    if let maxPixels { limits.maxPixels = maxPixels }
    return limits
  }
}

/// The size at which images are decoded, if their format offers a choice.
enum DecodeMode: String, ExpressibleByArgument, CaseIterable, Sendable {
  case scaled, full
}

/// `X,Y,W,H`: a rectangle in pixels of the stored image.
struct Region: ExpressibleByArgument, Sendable, Equatable {
  let box: BoundingBox

  init?(argument: String) {
    guard let numbers = NumberList(argument)?.values, numbers.count == 4, numbers[2] > 0, numbers[3] > 0
    else { return nil }
    box = BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
