// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore

/// How far a publish is, on a terminal.
enum PublishMeter {
  /// Prints one line, where a person may read it.
  static func show(_ progress: HostClient.PublishProgress) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    _ = Descriptor.write(Array("\(text(progress))\n".utf8), to: STDERR_FILENO)
  }

  static func text(_ progress: HostClient.PublishProgress) -> String {
    switch progress {
    case .waiting(let before): "waiting for \(before) \(before == 1 ? "check" : "checks") of other files"
    case .checking: "the host checks the file"
    }
  }
}
#endif
