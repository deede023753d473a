// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// Which photos are learned from, and which are only judged.
struct TrainingSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Photos of none of the classes: 100 to 200 of what the camera sees otherwise.", valueName: "folder"))
  var other: String?

  @Option(help: ArgumentHelp("Photos that are judged and never learned from.", valueName: "folder|csv"))
  var test: String?

  @OptionGroup var reading: PhotoSetOptions

  @OptionGroup var exclusion: ExclusionOptions

  @Flag(help: ArgumentHelp("A photo that cannot be opened ends the training.", visibility: .hidden))
  var strict = false

  /// The photos of an argument, without those that are left out.
  func trainingSet(_ path: String) throws(FoveaError) -> (set: TrainingSet, test: TrainingSet?) {
    do throws(TrainingError) {
      let set = try reading.set(path, other: other).without(try exclusion.names())
      return (set, try test.map { test throws(TrainingError) in try reading.set(test, other: nil) })
    } catch {
      throw FoveaError(error)
    }
  }
}

/// `PREFIX=FOLDER`: what paths begin with, and the folder that it stands for.
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

  /// The folder of each prefix.
  static func folders(_ arguments: [PathPrefixArgument]) -> [String: String] {
    Dictionary(arguments.map { ($0.prefix, $0.folder) }, uniquingKeysWith: { $1 })
  }
}

/// How a folder or a CSV file of labelled photos is read.
struct PhotoSetOptions: ParsableArguments, Sendable {
  @Flag(
    help: ArgumentHelp("Each folder with photos is a class of its own, as birds/owl.", visibility: .hidden))
  var nested = false

  @Option(
    help: ArgumentHelp(
      "Read paths of a CSV that begin so from a folder, as gs://bucket/=photos/.", valueName: "x=folder",
      visibility: .hidden))
  var pathPrefix: [PathPrefixArgument] = []

  /// The photos of a folder or file, with those of none of the classes.
  func set(_ path: String, other: String?) throws(TrainingError) -> TrainingSet {
    try TrainingSet(path, isNested: nested, prefixes: PathPrefixArgument.folders(pathPrefix), other: other)
  }
}
