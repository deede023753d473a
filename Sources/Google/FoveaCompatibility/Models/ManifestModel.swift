// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// The model that an AutoML manifest names.
package enum ManifestModel {
  /// Returns the path of the model.
  /// - Parameter manifestPath: The path of a `manifest.json`, a `file://` URL, or a bundle resource; a comma
  ///   after its last value is accepted, since Google's own sample has one.
  /// - Returns: The path of a file that exists, in the manifest's folder.
  /// - Throws: `notFound` if the manifest, the model or the labels are missing; `invalidArgument` if the
  ///   manifest is not JSON, lacks a field or names a file outside its folder.
  package static func path(manifestPath: String) throws(MLError) -> String {
    guard manifestPath.lowercased().hasSuffix(".json") else {
      throw MLError(
        .invalidArgument, "'\(manifestPath)' is not the path of a manifest",
        remedy: "Pass the path of the manifest.json, or use LocalModel(path:) for a model")
    }
    do throws(MetadataError) {
      return try ModelBundle.open(LocalPath.resolve(manifestPath)).modelPath
    } catch {
      throw MLError(manifest: error)
    }
  }
}
