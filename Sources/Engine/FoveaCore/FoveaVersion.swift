// SPDX-License-Identifier: Apache-2.0

/// The version of this package: of its programs, the C library, and everything built on it.
package enum FoveaVersion {
  package static let current = "0.2.0"
}
