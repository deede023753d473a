// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
public import Foundation
import FoveaCompatibility

/// Downloads remote models and checks which are installed.
///
/// Models are downloaded from your model host: an HTTP server or a folder that has `NAME.tflite` for each
/// name. They are stored in the user's model folder (`FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME`
/// or `~/.local/share`), which ML Kit's modules share, and need no network afterwards. Only the request for
/// the model is sent.
public final class ModelManager: NSObject, @unchecked Sendable {
  // SAFETY: it has no state of its own.
  private static let shared = ModelManager()
  private static let models = RemoteModelManager(
    DownloadNotifications(
      success: .firebaseMLModelDownloadDidSucceed, failure: .firebaseMLModelDownloadDidFail,
      modelKey: ModelDownloadUserInfoKey.remoteModel.rawValue,
      errorKey: ModelDownloadUserInfoKey.error.rawValue))

  private override init() {}

  /// Returns the only manager of the process.
  public class func modelManager() -> ModelManager { shared }

  /// Returns the manager of an app, which is the same for all apps.
  /// - Parameter app: The app.
  /// - Returns: The only manager of the process.
  public class func modelManager(app: FirebaseApp) -> ModelManager { shared }

  /// The model host of the process, an addition to Firebase.
  ///
  /// `https://models.example/folder`, `http://…`, `file:///folder` or a path; a model is `NAME.tflite` in it.
  /// An address with `{name}` has the name inserted there: `https://models.example/{name}/model.tflite`.
  ///
  /// Nil, the default, uses the variable `FOVEA_MODEL_HOST`; if that is not set either, downloads fail with
  /// an error that explains how to set it.
  public class var host: String? {
    get { models.host }
    set { models.host = newValue }
  }

  /// Returns whether a model is installed, intact and usable.
  ///
  /// Does not use the network.
  /// - Parameter remoteModel: The model.
  /// - Returns: `false` for a damaged model as well; a download replaces it.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
    Self.models.isDownloaded(remoteModel.name)
  }

  /// Returns whether a model is installed, under the name that the text of Google's guides uses.
  /// - Parameter remoteModel: The model.
  /// - Returns: As `isModelDownloaded(_:)`.
  public func isModelDownloaded(remoteModel: RemoteModel) -> Bool { isModelDownloaded(remoteModel) }

  /// Downloads a model if it is not installed or the host has a newer one.
  ///
  /// Returns at once. `firebaseMLModelDownloadDidSucceed` or `firebaseMLModelDownloadDidFail` is posted at
  /// the end to the default notification center, on any thread; if the newest model is already installed,
  /// nothing is transferred and success is posted anyway. The installed model stays in use until the new one
  /// is complete and validated. An interrupted download is resumed by the next one.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - conditions: Accepted for compatibility; no effect on Linux.
  /// - Returns: The progress in bytes, finished when the model can be used. `cancel()` stops the download.
  @discardableResult
  public func download(_ remoteModel: RemoteModel, conditions: ModelDownloadConditions) -> Progress {
    Self.models.download(remoteModel.name, about: remoteModel)
  }

  /// Downloads a model and waits for it, an addition to Firebase; no notifications are posted.
  ///
  /// Cancelling the task stops the download.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - conditions: Accepted for compatibility; no effect on Linux.
  /// - Throws: `FirebaseMLError`: `failedPrecondition` if no host is set, `notFound`, `permissionDenied`,
  ///   `unavailable`, `notEnoughSpace`, `modelIncompatible`, `cancelled` and others.
  public func downloadModel(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws {
    try await Self.models.download(remoteModel.name)
  }

  /// Passes the path of a downloaded model to the completion.
  ///
  /// The completion is called before this function returns.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - completion: Called once, with the path and nil, or with nil and a `FirebaseMLError`: `notFound` if
  ///     the model was not downloaded, `dataLoss` if its file is damaged.
  public func getLatestModelFilePath(
    _ remoteModel: RemoteModel, completion: (String?, (any Error)?) -> Void
  ) {
    do throws(MLError) {
      guard let model = try RemoteModels.model(named: remoteModel.name) else {
        throw MLError(
          .notFound, "The remote model '\(remoteModel.name)' has not been downloaded",
          remedy: "Call download(_:conditions:) and wait for firebaseMLModelDownloadDidSucceed")
      }
      completion(model.path, nil)
    } catch {
      completion(nil, error)
    }
  }

  /// Deletes a model; interpreters that use it keep working.
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - completion: Called once on the main queue, with nil or a `FirebaseMLError`: `notFound` if the model
  ///     was not downloaded.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void)
  {
    Self.models.delete(remoteModel.name, completion: completion)
  }

  /// Deletes a model; interpreters that use it keep working.
  /// - Parameter remoteModel: The model.
  /// - Throws: `FirebaseMLError` with `notFound` if the model was not downloaded.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws {
    try Self.models.delete(remoteModel.name)
  }
}
