// SPDX-License-Identifier: Apache-2.0

/// A host's model on this device, verified and ready to be loaded.
public struct HostedModel: Sendable, Hashable {
  let installed: InstalledModel
  let store: ModelStore

  /// The model's name on the host.
  public var name: String { installed.name }
  /// The path of its `.tflite` file.
  ///
  /// The file at this path never changes: another version gets another path. Prefer `load`, which also passes
  /// the path and rolls back a version that cannot be loaded.
  public var path: String { installed.path }
  /// The size of the file in bytes.
  public var byteCount: Int { installed.byteCount }
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public var sha256: String { installed.sha256 }
  /// The version number on the host; nil for a host that publishes files instead of versions.
  public var version: String? { installed.published?.version }
  /// The experiment variant that this device was assigned with this version; nil for none.
  public var variant: String? { installed.published?.variant }
  /// The id of that experiment; nil for none and for a rollout.
  public var experiment: String? { installed.published?.experiment }
  /// The unit that takes part in that experiment; nil for none.
  public var unit: ExperimentUnit? { installed.published?.unit }
  /// Whether the previous version is still on disk, for ``HostedModels/rollBack(_:)``.
  package var hasVersionBefore: Bool { installed.previousVersion != nil }
  /// The source: an address without user name, password and keys, or a path.
  public var source: String { installed.url }

  /// Loads the model, and records whether that succeeds.
  ///
  /// The first load of a version is recorded in a file before `body` and cleared after it. If a
  /// version crashed the process or could not be loaded in two launches, it is abandoned in the third: `body`
  /// receives the path of the previous version, no download installs the abandoned one again, and the next
  /// request reports it to the host.
  /// - Parameter body: A closure that loads the file at a path.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
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

  /// Loads the model asynchronously, and records whether that succeeds.
  ///
  /// - Parameter body: A closure that loads the file at a path.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
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

  /// Records the start of a load; nil if that fails, for example in a read-only folder.
  ///
  /// The model is loaded anyway.
  private func beginLoad() -> FirstLoad? { try? FirstLoad.begin(name, in: store) }
}

/// The unit that takes part in an experiment: a device, or a user on all devices.
public enum ExperimentUnit: String, Codable, Sendable, Hashable {
  /// The device, identified by a random id that it created.
  case installation
  /// The app's user, identified by the id that the app sets.
  case user
}
