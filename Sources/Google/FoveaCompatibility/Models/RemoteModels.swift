// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import Synchronization

/// Models that are downloaded by name: one set for all of Google's APIs, so that ML Kit's modules find a
/// model that Firebase's downloaded.
package enum RemoteModels {
  /// A downloaded model.
  package struct Model: Sendable, Hashable {
    /// The model's name on the model host.
    package let name: String
    /// The path of its file, whose content never changes; each version has its own path.
    package let path: String
    /// The size of the file in bytes.
    package let byteCount: Int
    /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
    package let sha256: String

    init(_ model: InstalledModel) {
      name = model.name
      path = model.path
      byteCount = model.byteCount
      sha256 = model.sha256
    }
  }

  /// A host and a folder that replace the process's.
  package struct Setting: Sendable {
    /// The host; nil for none.
    package var host: String?
    /// The model folder.
    package var folder: String

    /// Creates a setting.
    package init(host: String?, folder: String) {
      self.host = host
      self.folder = folder
    }
  }

  /// The setting of the current task, which replaces the process's host and folder; nil to use these.
  ///
  /// Tests run in parallel in one process, each with its own host.
  @TaskLocal package static var setting: Setting?

  private static let hostText = Mutex<String?>(nil)

  /// The model host of the process; nil uses the host in `FOVEA_MODEL_HOST`.
  package static var host: String? {
    get { hostText.withLock { $0 } }
    set { hostText.withLock { $0 = newValue } }
  }

  /// Returns the store with the current host and folder.
  /// - Throws: `failedPrecondition` if the environment names no model folder.
  static func store() throws(MLError) -> ModelStore {
    if let setting { return ModelStore(folder: setting.folder, host: setting.host) }
    do throws(ModelStoreError) { return try ModelStore.user(host: host) } catch { throw .noFolder(error) }
  }

  /// Returns a downloaded model, without a network request.
  /// - Parameter name: The model's name on the model host.
  /// - Returns: nil if it was not downloaded.
  /// - Throws: `dataLoss` if its file is damaged; `permissionDenied` if the model folder cannot be read;
  ///   `failedPrecondition` if there is none.
  package static func model(named name: String) throws(MLError) -> Model? {
    let store = try store()
    do throws(ModelStoreError) { return try store.installedModel(named: name).map(Model.init) } catch {
      throw MLError(error)
    }
  }

  /// Returns the path of a model; nil if it was not downloaded or is damaged.
  package static func path(of name: String) -> String? { (try? model(named: name))?.path }

  /// Returns the downloaded models, sorted by name; damaged ones are left out.
  /// - Returns: The models.
  /// - Throws: `permissionDenied` if the model folder cannot be read; `failedPrecondition` if there is none.
  package static func all() throws(MLError) -> [Model] {
    let store = try store()
    do throws(ModelStoreError) {
      return try store.installedNames().compactMap { name in
        (try? store.installedModel(named: name)).map(Model.init)
      }
    } catch {
      throw MLError(error)
    }
  }

  /// Removes a model with all its versions; detectors that use it keep working.
  /// - Parameter name: The model's name on the model host.
  /// - Throws: `notFound` if it was not downloaded, `invalidArgument` for an invalid name, `permissionDenied`
  ///   if it cannot be removed, `failedPrecondition` if there is no model folder.
  package static func delete(_ name: String) throws(MLError) {
    let store = try store()
    do throws(ModelStoreError) { try store.remove(name) } catch { throw MLError(error) }
  }
}
