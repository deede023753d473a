// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaTraining

/// The photos on which models are run.
struct PhotoListOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Photos and folders of photos; may be repeated.", valueName: "path"))
  var photos: [String] = []

  @Flag(name: .shortAndLong, help: "Search subfolders too.")
  var recursive = false

  @OptionGroup var pixels: PixelLimitOptions

  func validate() throws {
    if photos.contains("") { throw ValidationError("--photos needs the name of a folder.") }
    if photos.contains("-") { throw ValidationError("--photos reads files, not standard input.") }
  }

  /// Refuses a command without photos.
  func checkGiven() throws {
    if photos.isEmpty { throw ValidationError("Name photos or a folder of them: --photos <path>.") }
  }

  /// Returns the photos in order, each file once, and the arguments and folders without any.
  ///
  /// A photo twice would count twice, and could choose the ranges of an int8 model and judge it.
  /// - Throws: `cancelled`.
  func listed(
    _ stop: StopSignal
  ) throws(FoveaError) -> (images: [InputImage], failed: [(name: String, error: FoveaError)]) {
    var images: [InputImage] = []
    var failed: [(name: String, error: FoveaError)] = []
    var known: Set<FileStatus.Identity> = []
    var expander = InputExpander(photos, recursive: recursive)
    while let item = expander.next() {
      try stop.check()
      switch item {
      case .image(let image):
        // Some network file systems give no numbers.
        if case .file(let path) = image.source, let file = FileStatus(path)?.identity, file.number != 0 {
          guard known.insert(file).inserted else { continue }
        }
        images.append(image)
      case .failure(let name, let error): failed.append((name.text, error))
      }
    }
    return (images, failed)
  }

  /// Returns a photo to compare models on.
  func photo(_ image: InputImage, _ stop: StopSignal) -> ComparedPhoto {
    let limits = pixels.limits
    return ComparedPhoto(name: image.name) { () throws(FoveaError) in
      try Photo(try image.load(limit: limits.maxFileBytes, stop: stop), limits: limits).input()
    }
  }
}
