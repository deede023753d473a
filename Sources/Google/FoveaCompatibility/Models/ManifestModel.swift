// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// The model that an AutoML manifest names.
package enum ManifestModel {
  /// The path of the model.
  /// - Parameter manifestPath: The path of a `manifest.json`, the text of a `file://` URL, or a name in the app's bundle; a comma after its last value is accepted, as Google's own
  ///   sample has one.
  /// - Returns: The path of a file that exists, in the manifest's folder.
  /// - Throws: `notFound` where manifest, model or labels are missing; `invalidArgument` where the manifest is no JSON,
  ///   lacks something or names a file outside its folder.
  package static func path(manifestPath: String) throws(MLError) -> String {
    guard manifestPath.lowercased().hasSuffix(".json") else {
      throw MLError(
        .invalidArgument, "'\(manifestPath)' is not the path of a manifest",
        remedy: "Give the path of the manifest.json, or use LocalModel(path:) for a model")
    }
    do throws(MetadataError) {
      return try ModelBundle.open(LocalPath.resolve(manifestPath)).modelPath
    } catch {
      throw MLError(manifest: error)
    }
  }
}
