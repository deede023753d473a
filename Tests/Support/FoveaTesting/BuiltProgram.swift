// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The programs that the build places next to the tests.
public enum BuiltProgram {
  /// The path of `fovea`; nil if it does not exist.
  public static let path: String? = path(of: "fovea")

  /// The path of `fovea-server`; nil if it does not exist.
  public static let server: String? = path(of: "fovea-server")

  private static func path(of program: String) -> String? {
    guard let test = CommandLine.arguments.first else { return nil }
    // The test runner is the program on Linux with swift-testing, or gets the bundle as an argument.
    for place in [test] + CommandLine.arguments {
      guard let slash = place.lastIndex(of: "/") else { continue }
      let candidate = place[..<slash] + "/" + program
      if unsafe access(String(candidate), X_OK) == 0 { return String(candidate) }
    }
    return nil
  }
}
