// SPDX-License-Identifier: Apache-2.0

/// The model that the options of a detector or labeler name; resolved when it is first needed.
package enum ModelReference: Sendable, Hashable {
  /// A file, an AutoML folder or a manifest, as the app names it: a path, a `file://` URL, or a bundle
  /// resource.
  case local(path: String)
  /// A local model that is nil, because its manifest is missing or invalid.
  case missing
  /// A model that is downloaded by its name.
  case remote(name: String)

  /// Returns the path of the model.
  /// - Returns: The path of a model, a manifest or a folder.
  /// - Throws: `failedPrecondition` for a remote model that was not downloaded, `dataLoss` for a damaged
  ///   model, `invalidArgument` for a missing one.
  package func path() throws(MLError) -> String {
    switch self {
    case .local(let path): return LocalPath.resolve(path)
    case .missing:
      throw MLError(
        .invalidArgument, "Local model must not be nil",
        remedy:
          "Use LocalModel(checkedManifestPath:), which throws the reason; LocalModel(manifestPath:) returns "
          + "nil if the manifest is missing or invalid")
    case .remote(let name):
      guard let model = try RemoteModels.model(named: name) else {
        throw MLError(
          .failedPrecondition, "The remote model '\(name)' has not been downloaded",
          remedy: "Call ModelManager.modelManager().download(_:conditions:) and wait for it")
      }
      return model.path
    }
  }
}
