// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// The runtime of interpreters.
public enum Runtime {
  /// The version of LiteRT, the current name of TensorFlow Lite: "2.3.0" for example.
  ///
  /// It is the version for which this package is written and tested; the library itself does not report one.
  public static var version: String { RuntimeLibrary.supportedVersion }
}
