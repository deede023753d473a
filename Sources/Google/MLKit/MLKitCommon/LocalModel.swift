// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoveaCompatibility

// SAFETY: it has only constants.
/// A model in a file of the app.
public final class LocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file, as given to the initializer.
  public let path: String
  /// The path of the manifest that named the model; nil if there is none.
  public let manifestPath: String?

  /// Creates a model from a file; a missing file is reported at the first use.
  /// - Parameter path: The path of a `.tflite` file, absolute or relative to the working directory. Unlike ML
  ///   Kit, this also accepts: a percent-encoded `file://` URL, and the name of a resource of the main bundle
  ///   (`Bundle.main.resourcePath`), which is tried if a relative path leads to no file.
  public init(path: String) {
    self.path = path
    manifestPath = nil
  }

  /// Creates the model that an AutoML `manifest.json` names, with its labels; nil if the manifest is missing
  /// or invalid.
  ///
  /// `LocalModel(checkedManifestPath:)` reports the reason. Passing nil to the options of a detector or
  /// labeler does not end the process, as it does in ML Kit: the first image fails with the same message.
  /// - Parameter manifestPath: The path of the manifest, in the folder of the model and its labels; a comma
  ///   after its last value is accepted. A URL or a bundle resource works too, as in `init(path:)`.
  public convenience init?(manifestPath: String) { try? self.init(checkedManifestPath: manifestPath) }

  /// Creates the model that an AutoML `manifest.json` names, with its labels.
  ///
  /// An addition to ML Kit.
  /// - Parameter manifestPath: The path of the manifest, in the folder of the model and its labels.
  /// - Throws: `MLKitError` with `notFound` if the manifest or a file that it names is missing;
  ///   `invalidArgument` if it is not JSON, lacks a field, or names a file outside its folder.
  public init(checkedManifestPath manifestPath: String) throws(MLError) {
    path = try ManifestModel.path(manifestPath: manifestPath)
    self.manifestPath = manifestPath
  }

  /// The model in the form that pipelines accept.
  package var reference: ModelReference { .local(path: manifestPath ?? path) }
}
