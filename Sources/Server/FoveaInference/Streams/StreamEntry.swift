// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaVideo

/// A video to watch: its name in requests, and its source.
///
/// Only the operator configures these; no request contains an address.
package struct StreamEntry: Sendable, Equatable {
  package let name: String
  package let source: VideoSource
  /// The settings for its frames.
  var settings = LiveSettings()
  /// Whether it is watched even without viewers, so that lines and zones keep counting.
  var isAlways = false

  package init(name: String, source: VideoSource) {
    self.name = name
    self.source = source
  }

  /// Reads `NAME=rtsp://…`, `NAME=/dev/video0` or `NAME=FILE`.
  /// - Throws: `option-invalid` without a name that a URL can contain, and for standard input.
  package init(_ argument: String) throws(FoveaError) {
    // The argument may contain a password, so no message shows it.
    guard let equals = argument.firstIndex(of: "="), ModelEntry.isPart(String(argument[..<equals])) else {
      throw .optionInvalid(
        "A source has no name, or one that a URL cannot contain",
        remedy: "Use at most 64 letters, digits, '.', '_' and '-', as in gate=rtsp://camera/1")
    }
    name = String(argument[..<equals])
    let place = String(argument[argument.index(after: equals)...])
    source = VideoSource(place)
    guard !place.isEmpty, source != .standardInput else {
      throw .optionInvalid(
        "The source '\(name)' is not an address, camera or file",
        remedy: "Give one, as in \(name)=rtsp://camera/1 or \(name)=/dev/video0")
    }
  }

  /// Sets the treatment of frames without motion, unless the source has its own or blurs objects.
  package mutating func setDefault(motion: ObjectTracker.Options.Motion) {
    settings.motion = settings.motion ?? (settings.blur.isEmpty ? motion : .off)
  }

  /// Makes it run always, for events.
  ///
  /// The detector then runs on every second frame, unless the source has its own setting or blurs objects.
  mutating func watchForEvents() {
    isAlways = true
    if settings.every == nil, settings.blur.isEmpty { settings.every = StreamEntry.everyWithEvents }
  }

  /// The frames for each run of the detector in a source with events: half the work, and as many events.
  private static let everyWithEvents = 2

  /// Whether it is a file, which restarts at its end.
  var isFile: Bool { if case .file = source { true } else { false } }

  /// Whether it is a missing file; a name with `%` or `*` for a number need not exist.
  var isMissing: Bool {
    guard case .file(let path) = source, !path.contains(where: { "%*?".contains($0) }) else { return false }
    return FileStatus(FilePath(path)) == nil
  }
}
#endif
