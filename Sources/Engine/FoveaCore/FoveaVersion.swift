// SPDX-License-Identifier: Apache-2.0

/// The version of this package: that of its programs, of the C library, and of what is built on it.
package enum FoveaVersion {
  package static let current = "0.1.0"
}
