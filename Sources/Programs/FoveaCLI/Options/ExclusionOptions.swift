// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTraining

/// The images that a training leaves out.
struct ExclusionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Leave out what this file lists, such as suspects.txt of a report.", valueName: "file"))
  var exclude: String?

  private static let maximumListBytes = 64 << 20

  /// Returns the lines of `--exclude` up to the first tab; the rest of a line is a remark.
  func names() throws(TrainingError) -> Set<String> {
    guard let exclude else { return [] }
    let lines = String(decoding: try bytes(of: exclude), as: UTF8.self).split(whereSeparator: \.isNewline)
    return Set(lines.map { String($0.prefix { $0 != "\t" }) })
  }

  /// Returns the content of `--exclude` if a new list replaces that file; without it, the next run would
  /// learn these images again.
  /// - Parameter list: The path of the list that will be written.
  /// - Returns: Whole lines; empty if the two are different files.
  /// - Throws: `training-set-unreadable` if the file cannot be read.
  func lines(replacedBy list: String) throws(FoveaError) -> [UInt8] {
    guard let exclude, let status = FileStatus(FilePath(list)),
      FileStatus(FilePath(exclude))?.identity == status.identity
    else { return [] }
    let bytes: [UInt8]
    do throws(TrainingError) { bytes = try self.bytes(of: exclude) } catch { throw FoveaError(error) }
    return bytes.isEmpty || bytes.last == 0x0A ? bytes : bytes + [0x0A]
  }

  private func bytes(of path: String) throws(TrainingError) -> [UInt8] {
    do throws(SystemError) {
      return try SmallFile.bytes(of: path, limit: ExclusionOptions.maximumListBytes)
    } catch {
      throw TrainingError(
        .unreadable, "it cannot be read: \(error.message)", remedy: "Check the path and its permissions",
        subject: path)
    }
  }
}
