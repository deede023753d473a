// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
import FoveaCompatibility

/// Downloads models by name, and knows which are installed.
///
/// Models come from a host of yours: an HTTP server or a folder that has `NAME.tflite` for each name. They lie in the
/// user's folder for models (`FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or `~/.local/share`), which all of
/// Google's names share. Handlers and completions are called on the main queue.
public final class ModelDownloader: Sendable {
  private static let shared = ModelDownloader()

  private init() {}

  /// The one downloader of the process.
  public static func modelDownloader() -> ModelDownloader { shared }

  /// The downloader of an app, which is the same for all apps.
  /// - Parameter app: The app.
  /// - Returns: The one downloader of the process.
  public static func modelDownloader(app: FirebaseApp) -> ModelDownloader { shared }

  /// The model host of the process, an addition to Firebase.
  ///
  /// `https://models.example/folder`, `http://…`, `file:///folder` or a path: a model is `NAME.tflite` there. In an
  /// address with `{name}` the name takes that place: `https://models.example/{name}/model.tflite`.
  ///
  /// Default: nil, which means the variable `FOVEA_MODEL_HOST`; where that is not set, either, downloads fail with
  /// `failedPrecondition`.
  public static var host: String? {
    get { RemoteModels.host }
    set { RemoteModels.host = newValue }
  }

  /// Gives a model: the one that is there, or the newest.
  ///
  /// - Parameters:
  ///   - modelName: The name under which the model host knows the model.
  ///   - downloadType: Which one to give.
  ///   - conditions: Kept for apps that set them; without effect on Linux.
  ///   - progressHandler: Called with the share that has arrived, 0 to 1, at most once for each hundredth; not where
  ///     nothing is transferred, or the host does not send the size.
  ///   - completion: Called exactly once.
  public func getModel(
    name modelName: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
    progressHandler: ((Float) -> Void)? = nil,
    completion: @escaping (Result<CustomModel, DownloadError>) -> Void
  ) {
    let completion = ModelCompletion(completion)
    guard !modelName.isEmpty else { return completion.deliver(.failure(.emptyModelName)) }
    // A damaged model counts as none: it is downloaded again.
    if downloadType != .latestModel, let model = try? RemoteModels.model(named: modelName) {
      completion.deliver(.success(CustomModel(model)))
      // Whether there is a newer one shows next time; a failure leaves everything as it is.
      if downloadType == .localModelUpdateInBackground { _ = RemoteModels.download(modelName) { _ in } }
      return
    }
    let hundredths = progressHandler.map { HundredthSteps(ModelCompletion($0)) }
    _ = RemoteModels.download(modelName) {
      hundredths?.report($0)
    } completion: { result in
      completion.deliver(result.map(CustomModel.init).mapError(DownloadError.init))
    }
  }

  /// Gives a model, an addition to Firebase.
  ///
  /// - Parameters:
  ///   - modelName: The name under which the model host knows the model.
  ///   - downloadType: Which one to give.
  ///   - conditions: Kept for apps that set them; without effect on Linux.
  /// - Returns: The model.
  /// - Throws: `DownloadError`.
  public func getModel(
    name modelName: String, downloadType: ModelDownloadType,
    conditions: ModelDownloadConditions = ModelDownloadConditions()
  ) async throws(DownloadError) -> CustomModel {
    let result: Result<CustomModel, DownloadError> = await withCheckedContinuation { continuation in
      getModel(name: modelName, downloadType: downloadType, conditions: conditions) {
        continuation.resume(returning: $0)
      }
    }
    return try result.get()
  }

  /// Lists the models that were downloaded, those of other names of Google's included.
  ///
  /// - Parameter completion: Called once.
  public func listDownloadedModels(
    completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void
  ) {
    let completion = ModelCompletion(completion)
    do throws(MLError) {
      completion.deliver(.success(Set(try RemoteModels.all().map(CustomModel.init))))
    } catch {
      completion.deliver(.failure(DownloadedModelError(error)))
    }
  }

  /// Deletes a model; an interpreter that was made with it keeps working.
  ///
  /// - Parameters:
  ///   - modelName: The name under which the model host knows the model.
  ///   - completion: Called once.
  public func deleteDownloadedModel(
    name modelName: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void
  ) {
    let completion = ModelCompletion(completion)
    do throws(MLError) { completion.deliver(.success(try RemoteModels.delete(modelName))) } catch {
      completion.deliver(.failure(DownloadedModelError(error)))
    }
  }
}
