// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The object behind a `fovea_options`.
final class OptionsObject {
  private(set) var options = NamedOptions()

  /// Returns the options of a pointer; the defaults for NULL.
  static func options(_ pointer: OpaquePointer?) throws(FoveaError) -> NamedOptions {
    unsafe pointer == nil
      ? NamedOptions() : unsafe try Handle.get(OptionsObject.self, pointer, "options").options
  }

  func set(_ name: String, _ value: String) throws(FoveaError) {
    guard let option = NamedOption.named(name) else {
      let near = NameDistance.nearest(to: name, among: NamedOption.all.map(\.name)).first
      throw .optionInvalid(
        "There is no option '\(name.prefix(80))'",
        remedy: near.map { "Did you mean '\($0)'?" } ?? "fovea.h lists the options")
    }
    try options.set(option, to: .text(value))
  }
}

extension NamedOptions {
  func detectorOptions() throws(FoveaError) -> ObjectDetector.Options {
    try check(for: .detector)
    guard classifier == nil || !isUnclassified else {
      throw .optionInvalid(
        "The options 'classifier' and 'no-classify' exclude each other", remedy: "Give one of them")
    }
    return detector
  }

  func labelerOptions() throws(FoveaError) -> ImageLabeler.Options {
    try check(for: .labeler)
    return labeler
  }

  func segmenterOptions() throws(FoveaError) -> ImageSegmenter.Options {
    try check(for: .segmenter)
    return segmenter
  }

  func embedderOptions() throws(FoveaError) -> ImageEmbedder.Options {
    try check(for: .embedder)
    return embedder
  }

  /// Refuses an option that does not apply to a user.
  func check(for user: NamedOption.User) throws(FoveaError) {
    guard let name = unused(by: user).first else { return try checkFamily(for: user) }
    throw .optionInvalid(
      "The option '\(name)' does not apply to \(user.rawValue)",
      remedy: "Leave it out; fovea.h lists the options that apply")
  }
}
