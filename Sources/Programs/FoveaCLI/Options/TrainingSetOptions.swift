// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// The photos to train on, and those used only for testing.
struct TrainingSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "100 to 200 photos of other things that the camera sees.", valueName: "folder"))
  var other: String?

  @Option(help: ArgumentHelp("Photos used only for testing, never for training.", valueName: "folder|csv"))
  var test: String?

  @OptionGroup var reading: PhotoSetOptions

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: ArgumentHelp("Fail if a photo cannot be opened.", visibility: .hidden))
  var strict = false

  /// Returns the photos at a path without the excluded ones, and those of `--test`.
  func trainingSet(_ path: String) throws(FoveaError) -> (set: TrainingSet, test: TrainingSet?) {
    do throws(TrainingError) {
      let set = try reading.set(path, other: other).without(try exclusion.names())
      return (set, try test.map { test throws(TrainingError) in try reading.set(test, other: nil) })
    } catch {
      throw FoveaError(error)
    }
  }
}

/// `PREFIX=FOLDER`: a prefix of paths, and the folder that replaces it.
struct PathPrefixArgument: ExpressibleByArgument, Sendable, Equatable {
  let prefix: String
  let folder: String

  init?(argument: String) {
    guard let sign = argument.lastIndex(of: "=") else { return nil }
    prefix = String(argument[..<sign])
    let folder = String(argument[argument.index(after: sign)...])
    guard !prefix.isEmpty, !folder.isEmpty else { return nil }
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// Returns the folder of each prefix.
  static func folders(_ arguments: [PathPrefixArgument]) -> [String: String] {
    Dictionary(arguments.map { ($0.prefix, $0.folder) }, uniquingKeysWith: { $1 })
  }
}

/// The options for reading a folder or a CSV file of labelled photos.
struct PhotoSetOptions: ParsableArguments, Sendable {
  @Flag(
    help: ArgumentHelp("Make each nested folder with photos a class, such as birds/owl.", visibility: .hidden)
  )
  var nested = false

  @Option(
    help: ArgumentHelp(
      "Read CSV paths with this prefix from a folder, such as gs://bucket/=photos/.", valueName: "x=folder",
      visibility: .hidden))
  var pathPrefix: [PathPrefixArgument] = []

  /// Returns the photos of a folder or file, with those that show none of the classes.
  func set(_ path: String, other: String?) throws(TrainingError) -> TrainingSet {
    try TrainingSet(path, isNested: nested, prefixes: PathPrefixArgument.folders(pathPrefix), other: other)
  }
}
