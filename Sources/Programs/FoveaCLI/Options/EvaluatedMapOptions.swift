// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// The source of the evaluated maps: a folder of them, or photos and the model that makes them.
struct EvaluatedMapOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("PNGs as written by fovea segment --output.", valueName: "dir"))
  var maps: String?

  @Option(help: ArgumentHelp("Photos to segment with --model.", valueName: "dir"))
  var images: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A segmentation model: .tflite, .task or name.", valueName: "file"))
  var model: String?

  @OptionGroup var reading: SegmenterReadingOptions

  @Flag(name: .shortAndLong, help: "Search subfolders too.")
  var recursive = false

  @Flag(
    inversion: .prefixedNo,
    help: "Compare with photos as EXIF rotates them (default), or as stored.")
  var upright: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Images processed in parallel (default: one per core).", valueName: "n", visibility: .hidden))
  var jobs: Int?

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    for (name, folder) in [("maps", maps), ("images", images)] where folder?.isEmpty == true {
      throw ValidationError("--\(name) needs the name of a folder.")
    }
    if model?.isEmpty == true { throw ValidationError("--model needs the name of a file.") }
    try ModelOptions.checkCount(jobs, name: "jobs")
    guard (maps == nil) != (images == nil) else {
      throw ValidationError("Give either --maps, or --images and --model.")
    }
    guard (images == nil) == (model == nil) else {
      throw ValidationError(model == nil ? "--images needs --model." : "--model needs --images, not --maps.")
    }
    guard maps != nil else { return }
    if let given = upright.map({ $0 ? "upright" : "no-upright" }) ?? reading.firstGivenForModel {
      throw ValidationError("--\(given) needs --model.")
    }
  }

  /// The number of images processed in parallel.
  var effectiveJobs: Int { jobs ?? Cores.available }

  /// Returns the images of a ground truth with their maps or photos.
  func pairs(of groundTruth: String) throws(FoveaError) -> MapPairs {
    try MapPairs(
      groundTruth: groundTruth, maps ?? images ?? "", of: maps == nil ? .photo : .map, recursive: recursive)
  }

  /// The library's options for these arguments.
  var segmenterOptions: ImageSegmenter.Options {
    var options = ImageSegmenter.Options()
    reading.apply(to: &options)
    options.sessions = effectiveJobs
    options.threads = 1
    options.imageLimits = pixels.limits
    return options
  }
}
