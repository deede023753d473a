// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What is wrong with a member of a template: a path, and a sentence.
enum ConfigFault {
  /// An error that names the member, as `parameters.model_name.valueType`.
  static func at(
    _ path: String, _ what: String, remedy: Advice = "Correct the template, and publish it again"
  ) -> HostError {
    HostError(.invalid, "\(shortened(path)): \(what)", remedy: remedy)
  }

  /// A path, or another text of a stranger, as a message shows it.
  static func shortened(_ text: String) -> String {
    let most = 300
    let start = text.unicodeScalars.prefix(most)
    return String(start).printable + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
  }
}
#endif
