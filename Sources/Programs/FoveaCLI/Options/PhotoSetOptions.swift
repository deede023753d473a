// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaTraining

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
