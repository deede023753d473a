// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTracking

extension NamedOptions {
  /// The maximum size of a parameter file: 1 MiB.
  private static let configurationLimit = 1 << 20

  /// Returns the options of a tracker, as in `fovea track`.
  func trackerOptions() throws(FoveaError) -> ObjectTracker.Options {
    try check(for: .tracker)
    var options = ObjectTracker.Options()
    let kind = tracker ?? .fovea
    if kind == .fovea {
      let score = Double(selection.threshold ?? 0.5)
      var configuration = FoveaTracker.Configuration.detector(threshold: score)
      configuration.objectLimit = selection.singleObject == true ? 1 : selection.maxObjects
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
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: Self.configurationLimit) } catch {
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
