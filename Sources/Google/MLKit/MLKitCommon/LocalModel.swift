// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoveaCompatibility

// SAFETY: it has nothing but constants.
/// A model in a file of the app's.
public final class LocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file, as it was given.
  public let path: String
  /// The path of the manifest that named the model; nil where there is none.
  public let manifestPath: String?

  /// Names a model file; whether it is there is found out when it is used.
  /// - Parameter path: The path of a `.tflite` file, absolute or relative to the working directory. Also accepted, as an
  ///   addition: the text of a `file://` URL, percent-encoded, and the name of a resource of the main bundle
  ///   (`Bundle.main.resourcePath`), which is looked for where a relative path leads to no file.
  public init(path: String) {
    self.path = path
    manifestPath = nil
  }

  /// The model that a `manifest.json` of AutoML names, with its labels; nil where the manifest is missing or invalid.
  ///
  /// `LocalModel(checkedManifestPath:)` says why. A nil given to the options of a detector or labeler does not end the
  /// process, as it does in ML Kit: the first image fails with the same words.
  /// - Parameter manifestPath: The path of the manifest, next to which the model and its labels lie; a comma after its
  ///   last value is accepted. A URL's text or a bundle's name works, too, as in `init(path:)`.
  public convenience init?(manifestPath: String) { try? self.init(checkedManifestPath: manifestPath) }

  /// The model that a `manifest.json` of AutoML names, with its labels.
  ///
  /// An addition to ML Kit.
  /// - Parameter manifestPath: The path of the manifest, next to which the model and its labels lie.
  /// - Throws: `MLKitError` with `notFound` where the manifest or a file that it names is missing; `invalidArgument`
  ///   where it is no JSON, lacks something, or names a file outside its folder.
  public init(checkedManifestPath manifestPath: String) throws(MLError) {
    path = try ManifestModel.path(manifestPath: manifestPath)
    self.manifestPath = manifestPath
  }

  /// The model as pipelines take it.
  package var reference: ModelReference { .local(path: manifestPath ?? path) }
}
