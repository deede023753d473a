// SPDX-License-Identifier: Apache-2.0

/// A model of a host that is on this device, verified and ready to be loaded.
public struct HostedModel: Sendable, Hashable {
  let installed: InstalledModel
  let store: ModelStore

  /// What the host calls it.
  public var name: String { installed.name }
  /// The path of its `.tflite` file.
  ///
  /// The content of this path never changes: another version gets another path. `load` gives the path, too, and
  /// goes back where the version cannot be loaded.
  public var path: String { installed.path }
  /// The size of the file in bytes.
  public var byteCount: Int { installed.byteCount }
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public var sha256: String { installed.sha256 }
  /// The number of the version on its host; nil for a host that publishes files instead of versions.
  public var version: String? { installed.published?.version }
  /// The variant of the experiment that this device takes part in with this version; nil for none.
  public var variant: String? { installed.published?.variant }
  /// The id of that experiment; nil for none, and for a rollout.
  public var experiment: String? { installed.published?.experiment }
  /// Who takes part in that experiment; nil for none.
  public var unit: ExperimentUnit? { installed.published?.unit }
  /// Whether the version that was in use before is still there, for ``HostedModels/rollBack(_:)``.
  public var hasVersionBefore: Bool { installed.previousVersion != nil }
  /// Where it came from: an address without user name, password and keys, or a path.
  public var source: String { installed.url }

  /// Loads the model, and finds out whether it can be.
  ///
  /// The first load of a version is entered in a file before `body` and struck out after it. A version that is still
  /// entered at the third start has ended the process, or could not be loaded, twice: it is left for the version before it,
  /// whose path `body` then gets; no download brings it back, and the host hears of it when it is asked the next time.
  /// - Parameter body: Loads the file at a path.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func load<Value, Failure: Error>(_ body: (String) throws(Failure) -> Value) throws(Failure) -> Value
  {
    let first = beginLoad()
    do throws(Failure) {
      let value = try body(first?.model.path ?? path)
      first?.succeeded()
      return value
    } catch {
      first?.failed()
      throw error
    }
  }

  /// Loads the model, and finds out whether it can be, where loading takes a task.
  ///
  /// - Parameter body: Loads the file at a path.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func load<Value, Failure: Error>(
    _ body: (String) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let first = beginLoad()
    do throws(Failure) {
      let value = try await body(first?.model.path ?? path)
      first?.succeeded()
      return value
    } catch {
      first?.failed()
      throw error
    }
  }

  /// Notes a load; nil if that cannot be kept, as in a folder that may only be read: the model is loaded all
  /// the same.
  private func beginLoad() -> FirstLoad? { try? FirstLoad.begin(name, in: store) }
}

/// Who takes part in an experiment: a device, or a user on all devices.
public enum ExperimentUnit: String, Codable, Sendable, Hashable {
  /// This device, by a number that it made.
  case installation
  /// The app's user, by the id that the app gave.
  case user
}
