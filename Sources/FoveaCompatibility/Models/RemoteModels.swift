// SPDX-License-Identifier: Apache-2.0

/// Models that are downloaded by their names.
package enum RemoteModels {
  /// Where a model lies; nil where it was not downloaded.
  package static func path(of name: String) -> String? { nil }
}
