// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaSystem
import FoveaTraining

/// What is left out of a training.
struct ExclusionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Leave out what this file lists, as suspects.txt of a report.", valueName: "file"))
  var exclude: String?

  private static let maximumListBytes = 64 << 20

  /// The lines of `--exclude`; what follows a tab is a remark.
  func names() throws(TrainingError) -> Set<String> {
    guard let exclude else { return [] }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: exclude, limit: ExclusionOptions.maximumListBytes)
    } catch {
      throw TrainingError(
        .unreadable, "it cannot be read: \(error.message)", remedy: "Check the path and its permissions",
        subject: exclude)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return Set(lines.map { String($0.prefix { $0 != "\t" }) })
  }
}
