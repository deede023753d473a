// SPDX-License-Identifier: Apache-2.0

/// The echo of a signal: `timeout`, terminals and programs that run others send one signal to the process and again to its
/// group, while a person needs a moment to lose patience.
package enum SignalEcho {
  /// For how many milliseconds after the first a signal is the same one; read in signal handlers.
  package static var milliseconds: Int64 { 100 }
}
