// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTracking

/// The file of `--config`.
enum TrackerConfigurationFile {
  /// The maximum size of the file: 1 MiB.
  private static let limit = 1 << 20

  /// Reads the parameters of a file; parameters that it does not name keep their values.
  static func read(_ path: String, into tracker: inout Tracker) throws(FoveaError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: limit) } catch {
      throw FoveaError(
        .configUnreadable, "'\(path.printable)' cannot be read: \(error.message)",
        remedy: "Name a JSON file of at most 1 MiB with --config")
    }
    do throws(TrackingError) { try tracker.read(json: bytes) } catch {
      var error = FoveaError(error)
      error.subject = path
      throw error
    }
  }
}
