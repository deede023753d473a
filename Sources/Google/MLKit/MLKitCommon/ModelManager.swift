// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// Downloads remote models, and knows which are installed.
///
/// Models come from a host of yours: an HTTP server or a folder that has `NAME.tflite` for each name. They lie in the
/// user's folder for models (`FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or `~/.local/share`) and can be used
/// without a network from then on. Nothing is sent but the request for the model.
public final class ModelManager: NSObject, @unchecked Sendable {
  // SAFETY: it has no state of its own.
  private static let shared = ModelManager()
  private static let models = RemoteModelManager(
    DownloadNotifications(
      success: .mlkitModelDownloadDidSucceed, failure: .mlkitModelDownloadDidFail,
      modelKey: ModelDownloadUserInfoKey.remoteModel.rawValue,
      errorKey: ModelDownloadUserInfoKey.error.rawValue))

  private override init() {}

  /// The one manager of the process.
  public class func modelManager() -> ModelManager { shared }

  /// The model host of the process, an addition to ML Kit.
  ///
  /// `https://models.example/folder`, `http://…`, `file:///folder` or a path: a model is `NAME.tflite` there. In an
  /// address with `{name}` the name takes that place: `https://models.example/{name}/model.tflite`.
  ///
  /// Default: nil, which means the variable `FOVEA_MODEL_HOST`; where that is not set, either, downloads fail with an
  /// error that says so.
  public class var host: String? {
    get { models.host }
    set { models.host = newValue }
  }

  /// Whether a model is there, whole, and can be used.
  ///
  /// The network is not asked.
  /// - Parameter remoteModel: The model.
  /// - Returns: `false` for a damaged model, too, which a download replaces.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    Self.models.isDownloaded(remoteModel.name)
  }

  /// Whether a model is there: the name that the text of Google's guides gives to the function.
  /// - Parameter remoteModel: The model.
  /// - Returns: As `isModelDownloaded(_:)`.
  public func isModelDownloaded(remoteModel: RemoteModel) -> Bool { isModelDownloaded(remoteModel) }

  /// Downloads a model if it is not there, or if the host has a newer one.
  ///
  /// It returns at once. `mlkitModelDownloadDidSucceed` or `mlkitModelDownloadDidFail` is posted at the end, to the
  /// default notification center by any thread; where the newest model is there already, nothing is transferred and
  /// success is posted anyway. The model in use stays until the new one has arrived and was found to be a model.
  /// What was interrupted is continued by the next download.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - conditions: Kept for apps that set them; without effect on Linux.
  /// - Returns: The progress in bytes, finished when the model can be used. `cancel()` ends the download.
  @discardableResult
  public func download(_ remoteModel: RemoteModel, conditions: ModelDownloadConditions) -> Progress {
    Self.models.download(remoteModel.name, about: remoteModel)
  }

  /// Downloads a model and waits for it, an addition to ML Kit; no notifications are posted.
  ///
  /// A cancelled task ends the download.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - conditions: Kept for apps that set them; without effect on Linux.
  /// - Throws: `MLKitError`: `failedPrecondition` where no host is set, `notFound`, `permissionDenied`, `unavailable`,
  ///   `notEnoughSpace`, `modelIncompatible`, `cancelled` and others.
  public func downloadModel(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws {
    try await Self.models.download(remoteModel.name)
  }

  /// Deletes a model; a detector or labeler that was made with it keeps working.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - completion: Called once on the main queue, with nil or with an `MLKitError`: `notFound` where the model was not
  ///     downloaded.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void)
  {
    Self.models.delete(remoteModel.name, completion: completion)
  }

  /// Deletes a model; a detector or labeler that was made with it keeps working.
  /// - Parameter remoteModel: The model.
  /// - Throws: `MLKitError` with `notFound` where the model was not downloaded.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws {
    try Self.models.delete(remoteModel.name)
  }
}
