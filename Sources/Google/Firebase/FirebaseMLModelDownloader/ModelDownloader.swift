// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
import FoveaCompatibility

/// Downloads models by name, and lists and deletes those that are installed.
///
/// Models are downloaded from your model host: an HTTP server or a folder that has `NAME.tflite` for each
/// name. They are stored in the user's model folder (`FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME`
/// or `~/.local/share`), which all of Google's libraries share here. Handlers and completions are called on
/// the main queue.
public final class ModelDownloader: Sendable {
  private static let shared = ModelDownloader()

  private init() {}

  /// Returns the only downloader of the process.
  public static func modelDownloader() -> ModelDownloader { shared }

  /// Returns the downloader of an app, which is the same for all apps.
  /// - Parameter app: The app.
  /// - Returns: The only downloader of the process.
  public static func modelDownloader(app: FirebaseApp) -> ModelDownloader { shared }

  /// The model host of the process, an addition to Firebase.
  ///
  /// `https://models.example/folder`, `http://…`, `file:///folder` or a path; a model is `NAME.tflite` in it.
  /// An address with `{name}` has the name inserted there: `https://models.example/{name}/model.tflite`.
  ///
  /// Nil, the default, uses the variable `FOVEA_MODEL_HOST`; if that is not set either, downloads fail with
  /// `failedPrecondition`.
  public static var host: String? {
    get { RemoteModels.host }
    set { RemoteModels.host = newValue }
  }

  /// Returns the installed model or the latest one.
  ///
  /// - Parameters:
  ///   - modelName: The model's name on the model host.
  ///   - downloadType: The version to return.
  ///   - conditions: Accepted for compatibility; no effect on Linux.
  ///   - progressHandler: Called with the downloaded fraction, 0 to 1, at most once per hundredth; not called
  ///     if nothing is transferred or the host does not send the size.
  ///   - completion: Called exactly once.
  public func getModel(
    name modelName: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
    progressHandler: ((Float) -> Void)? = nil,
    completion: @escaping (Result<CustomModel, DownloadError>) -> Void
  ) {
    let completion = ModelCompletion(completion)
    guard !modelName.isEmpty else { return completion.deliver(.failure(.emptyModelName)) }
    // A damaged model counts as missing: it is downloaded again.
    if downloadType != .latestModel, let model = try? RemoteModels.model(named: modelName) {
      completion.deliver(.success(CustomModel(model)))
      // The next call returns the newer version; if this download fails, the installed one stays.
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

  /// Returns the installed model or the latest one, an addition to Firebase.
  ///
  /// - Parameters:
  ///   - modelName: The model's name on the model host.
  ///   - downloadType: The version to return.
  ///   - conditions: Accepted for compatibility; no effect on Linux.
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

  /// Lists the downloaded models, including those that ML Kit's modules downloaded.
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

  /// Deletes a model; interpreters that use it keep working.
  ///
  /// - Parameters:
  ///   - modelName: The model's name on the model host.
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
