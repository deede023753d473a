// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaSystem
import FoveaTraining

/// Which photos are learned from, and which are only judged.
struct TrainingSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Photos of none of the classes: 100 to 200 of what the camera sees otherwise.", valueName: "folder"))
  var other: String?

  @Option(help: ArgumentHelp("Photos that are judged and never learned from.", valueName: "folder|csv"))
  var test: String?

  @Flag(
    help: ArgumentHelp("Each folder with photos is a class of its own, as birds/owl.", visibility: .hidden))
  var nested = false

  @Option(
    help: ArgumentHelp(
      "Read paths of a CSV that begin so from a folder, as gs://bucket/=photos/.", valueName: "x=folder",
      visibility: .hidden))
  var pathPrefix: [PathPrefixArgument] = []

  @Option(
    help: ArgumentHelp(
      "Leave out the photos that this file lists, as suspects.txt of a report.", valueName: "file"))
  var exclude: String?

  @Flag(help: ArgumentHelp("A photo that cannot be opened ends the training.", visibility: .hidden))
  var strict = false

  private static let maximumListBytes = 64 << 20

  /// The photos of an argument, without those that are left out.
  func trainingSet(_ path: String) throws(FoveaError) -> (set: TrainingSet, test: TrainingSet?) {
    do throws(TrainingError) {
      let set = try read(path, other: other).without(try excluded())
      return (set, try test.map { test throws(TrainingError) in try read(test, other: nil) })
    } catch {
      throw FoveaError(error)
    }
  }

  private func read(_ path: String, other: String?) throws(TrainingError) -> TrainingSet {
    try TrainingSet(
      path, isNested: nested, prefixes: PathPrefixArgument.folders(pathPrefix), other: other)
  }

  /// The lines of `--exclude`; what follows a tab is a remark.
  private func excluded() throws(TrainingError) -> Set<String> {
    guard let exclude else { return [] }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: exclude, limit: TrainingSetOptions.maximumListBytes)
    } catch {
      throw TrainingError(
        .unreadable, "it cannot be read: \(error.message)", remedy: "Check the path and its permissions",
        subject: exclude)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return Set(lines.map { String($0.prefix { $0 != "\t" }) })
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
