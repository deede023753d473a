// SPDX-License-Identifier: Apache-2.0

/// What LiteRT is asked to do that takes long, for tests that count it.
package enum RuntimeWork: Sendable, Hashable {
  /// A model is opened; its name.
  case open(String)
  /// A model is compiled; its name.
  case compile(String)

  /// Called with all such work of the present task; nil, the default, calls no one.
  @TaskLocal package static var observer: (@Sendable (RuntimeWork) -> Void)?
}
