// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaFormats

/// The endings of names that results can be written to.
enum OutputEnding {
  /// Refuses a name that promises a compressed file: what is written would be none.
  static func refuseCompressed(_ output: String?) throws {
    guard let output, let ending = FilePath(output).ending, compressed.contains(ending) else { return }
    throw ValidationError(
      "--output writes no compressed files, as .\(ending); write '\(ResultFile.stem(output).printable)', and compress it "
        + "when it is whole.")
  }

  private static let compressed: Set<String> = [
    "gz", "gzip", "tgz", "bz2", "xz", "zst", "lz4", "br", "zip", "7z",
  ]
}
