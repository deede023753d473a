// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import Synchronization

/// Models that are downloaded by their names: one set for all of Google's names, so that a model that Firebase's names
/// downloaded is there for ML Kit's, too.
package enum RemoteModels {
  /// A model that was downloaded.
  package struct Model: Sendable, Hashable {
    /// The name under which the model host knows it.
    package let name: String
    /// The path of its file, whose content never changes: another version gets another path.
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

  /// Host and folder in place of the process's.
  package struct Setting: Sendable {
    /// The host; nil for none.
    package var host: String?
    /// The folder for models.
    package var folder: String

    /// Names host and folder.
    package init(host: String?, folder: String) {
      self.host = host
      self.folder = folder
    }
  }

  /// What one task uses in place of the process's host and folder; nil for these.
  ///
  /// Tests run side by side in one process, each with its own host.
  @TaskLocal package static var setting: Setting?

  private static let hostText = Mutex<String?>(nil)

  /// The model host of the process; nil for that of the variable `FOVEA_MODEL_HOST`.
  package static var host: String? {
    get { hostText.withLock { $0 } }
    set { hostText.withLock { $0 = newValue } }
  }

  /// Host and folder that are in use.
  /// - Throws: `failedPrecondition` where the environment names no folder for models.
  static func store() throws(MLError) -> ModelStore {
    if let setting { return ModelStore(folder: setting.folder, host: setting.host) }
    do throws(ModelStoreError) { return try ModelStore.user(host: host) } catch { throw .noFolder(error) }
  }

  /// A model that was downloaded, without a request to the network.
  /// - Parameter name: The name under which the model host knows it.
  /// - Returns: nil where it was not downloaded.
  /// - Throws: `dataLoss` where its file is damaged; `permissionDenied` where the folder for models cannot be read;
  ///   `failedPrecondition` where there is none.
  package static func model(named name: String) throws(MLError) -> Model? {
    let store = try store()
    do throws(ModelStoreError) { return try store.installedModel(named: name).map(Model.init) } catch {
      throw MLError(error)
    }
  }

  /// Where a model lies; nil where it was not downloaded, or is damaged.
  package static func path(of name: String) -> String? { (try? model(named: name))?.path }

  /// The models that were downloaded, sorted by name; those that are damaged are left out.
  /// - Returns: The models.
  /// - Throws: `permissionDenied` where the folder for models cannot be read; `failedPrecondition` where there is none.
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

  /// Removes a model with all its versions; a detector that was made with it keeps working.
  /// - Parameter name: The name under which the model host knows it.
  /// - Throws: `notFound` where it was not downloaded, `invalidArgument` for what cannot be a name, `permissionDenied`
  ///   where it cannot be removed, `failedPrecondition` where there is no folder for models.
  package static func delete(_ name: String) throws(MLError) {
    let store = try store()
    do throws(ModelStoreError) { try store.remove(name) } catch { throw MLError(error) }
  }
}
