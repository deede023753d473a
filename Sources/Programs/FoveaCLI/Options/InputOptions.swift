// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// Which images to read, and how.
struct InputOptions: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("Photos, folders, patterns; '-' for standard input.", valueName: "path"))
  var paths: [String]

  @Flag(name: .shortAndLong, help: "Search subfolders too.")
  var recursive = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only the photos of part i of n, from 0, by a hash of their paths: a job array.", valueName: "i/n"))
  var shard: Shard?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Process only this part, in stored pixels.", valueName: "x,y,w,h"))
  var roi: Region?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Photos at a time (default: a core each).", valueName: "n"))
  var jobs: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Threads for each photo.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "Decode at the size needed, scaled, or in full (default: scaled).", valueName: "scaled|full",
      visibility: .hidden), transform: ChoiceArgument.value)
  var decode = DecodeMode.scaled

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if paths.contains("") { throw ValidationError("A path is empty.") }
    if paths.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("'-' stands for one image and can be given once.")
    }
    if let problem = shard?.problem { throw ValidationError("--shard: \(problem).") }
    if shard != nil && paths.contains("-") {
      throw ValidationError("--shard deals out files and folders; '-' is one image.")
    }
    try ModelOptions.checkCount(jobs, name: "jobs")
    if let jobs, jobs > 256 { throw ValidationError("--jobs must be at most 256, got \(jobs).") }
    var options = ObjectDetector.Options()
    options.threads = threads
    try ModelOptions.check(options.check)
  }

  /// Images at a time: as asked, else every core for many inputs and one for one.
  var effectiveJobs: Int { jobs ?? (InputExpander.isBatch(paths) ? Cores.available : 1) }

  /// What an image may cost.
  var limits: ImageLimits { pixels.limits }

  /// Writes what was asked into the options of a detector.
  func apply(to options: inout ObjectDetector.Options) {
    options.threads = threads
    options.sessions = effectiveJobs
    options.reducedSizeDecoding = decode == .scaled
    options.imageLimits = limits
  }
}

/// What an image may cost.
struct PixelLimitOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The most pixels of a photo.", valueName: "n", visibility: .hidden))
  var maxPixels: Int?

  func validate() throws {
    var options = ObjectDetector.Options()
    options.imageLimits = limits
    try ModelOptions.check(options.check)
  }

  /// The limits with what was asked.
  var limits: ImageLimits {
    var limits = ImageLimits()
    if let maxPixels { limits.maxPixels = maxPixels }
    return limits
  }
}

/// At what size images are decoded, where their format has a choice.
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
