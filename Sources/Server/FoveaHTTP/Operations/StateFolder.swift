// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The location of a server's own state.
package enum StateFolder {
  /// Returns `STATE_DIRECTORY`, which systemd sets for a unit with `StateDirectory=`; otherwise `fovea` in
  /// `XDG_STATE_HOME` or `~/.local/state`.
  /// - Throws: `state-unavailable` if none of them is set.
  package static func path(
    _ variable: (String) -> String? = Environment.value
  ) throws(ServerError) -> String {
    // STATE_DIRECTORY may list several folders, separated by colons.
    if let folder = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    // The XDG base directory specification requires that relative paths are ignored.
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return FilePath.joined(state, "fovea") }
    if let home = variable("HOME") { return FilePath.joined(home, ".local/state/fovea") }
    throw ServerError(
      .state, "There is no folder for the server's state: neither XDG_STATE_HOME nor HOME is set",
      remedy: "Set XDG_STATE_HOME to a folder that the server's user may write to")
  }
}
#endif
