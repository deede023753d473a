// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The runtime that interpreters compute with.
public enum Runtime {
  /// The version of LiteRT, as TensorFlow Lite is called today: "2.3.0" for example.
  ///
  /// It is the version that this package is written for and tested with; the library itself does not report one.
  public static var version: String { RuntimeLibrary.supportedVersion }
}
