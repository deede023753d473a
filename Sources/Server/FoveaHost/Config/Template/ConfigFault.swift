// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Errors about a member of a template: a path, and a sentence.
enum ConfigFault {
  /// Returns an error that names the member, for example `parameters.model_name.valueType`.
  static func at(
    _ path: String, _ what: String, remedy: Advice = "Correct the template, and publish it again"
  ) -> HostError {
    HostError(.invalid, "\(shortened(path)): \(what)", remedy: remedy)
  }

  /// Shortens a path, or other untrusted text, for a message.
  static func shortened(_ text: String) -> String {
    let most = 300
    let start = text.unicodeScalars.prefix(most)
    return String(start).printable + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
  }
}
#endif
