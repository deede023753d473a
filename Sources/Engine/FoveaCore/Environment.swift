// SPDX-License-Identifier: Apache-2.0

/// The process's environment variables.
package enum Environment {
  /// Returns a variable's value; nil if it is not set, or empty.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
