// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTracking

extension OptionValues {
  private static let tracker: Set<String> = [
    "tracker", "every", "frame-rate", "config", "threshold", "max-objects", "single",
  ]
  /// No file of parameters is larger.
  private static let configurationLimit = 1 << 20

  /// What was said, for a tracker, as `fovea track` takes it.
  func trackerOptions() throws(FoveaError) -> ObjectTracker.Options {
    try check(Self.tracker, of: "tracker")
    var options = ObjectTracker.Options()
    let kind = tracker ?? .fovea
    if kind == .fovea {
      var configuration = FoveaTracker.Configuration.detector(threshold: Double(threshold ?? 0.5))
      configuration.objectLimit = single == true ? 1 : maxObjects
      options.tracker = .fovea(configuration)
    } else {
      options.tracker = Tracker(kind)
    }
    options.detectEvery = every ?? 1
    if let config { try read(config, into: &options.tracker) }
    return options
  }

  private func read(_ path: String, into tracker: inout Tracker) throws(FoveaError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: path, limit: Self.configurationLimit)
    } catch {
      throw .optionInvalid(
        "The file of the option 'config', '\(path.printable)', cannot be read: \(error.message)",
        remedy: "Name a JSON file of at most 1 MiB")
    }
    do throws(TrackingError) {
      try tracker.read(json: bytes)
    } catch {
      var error = FoveaError(error)
      error.subject = path
      throw error
    }
  }
}
