// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Where a server keeps what it makes for itself.
package enum StateFolder {
  /// `STATE_DIRECTORY`, which systemd sets for a unit with `StateDirectory=`; else `fovea` in `XDG_STATE_HOME` or
  /// `~/.local/state`.
  /// - Throws: `state-unavailable` where none of them is set.
  package static func path(
    _ variable: (String) -> String? = Environment.value
  ) throws(ServerError) -> String {
    // A unit may have several, with colons between them.
    if let folder = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    // The specification of base directories has relative paths ignored.
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return FilePath.joined(state, "fovea") }
    if let home = variable("HOME") { return FilePath.joined(home, ".local/state/fovea") }
    throw ServerError(
      .state, "There is no folder for the server's state: neither XDG_STATE_HOME nor HOME is set",
      remedy: "Set XDG_STATE_HOME to a folder that the server's user may write to")
  }
}
#endif
