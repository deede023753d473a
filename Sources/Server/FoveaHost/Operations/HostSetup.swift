// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
package import Logging
import Synchronization

/// The folder of a host with its keys: created once, and assembled at each start.
package struct HostSetup: Sendable {
  package let folder: String
  package let settings: HostSettings
  package let app: AppKey

  package init(folder: String, settings: HostSettings, app: AppKey) {
    self.folder = folder
    self.settings = settings
    self.app = app
  }

  /// The path of the administrator's key file.
  package var adminKey: String { folder + "/keys/admin.json" }

  private var ring: String { folder + "/keys/ring.json" }

  /// The value of `FOVEA_MODEL_HOST` for devices.
  package var modelHost: String {
    "\(settings.url)/v1beta2/projects/\(settings.project)/models/{name}:download?key=\(app.text)"
  }

  /// Creates the folder, its secret keys, an administrator's key and an app's.
  /// - Throws: `folder` if it is not empty; `unavailable`, `disk-full`.
  package static func make(
    _ folder: String, settings: HostSettings, app: AppKey, now: Now
  ) async throws(HostError) -> HostSetup {
    let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let metadata = try HostFolder.create(path)
    defer { metadata.close() }
    let setup = HostSetup(folder: path, settings: settings, app: app)
    _ = try KeyRing.create(at: setup.ring)
    let account = try ServiceAccount.make(
      role: .admin, project: settings.project, tokenURI: settings.url + "/token")
    let time = now()
    let entry = AuditEntry(time: time, actor: "init", action: "key.add", project: settings.project)
    try await metadata.add(account.hostKey(role: .admin, created: time), entry: entry)
    try await metadata.add(app.hostKey(project: settings.project, created: time), entry: entry)
    // The host must know the key before anyone has the file.
    try SecretFile.write(account.json, to: setup.adminKey)
    // Last: a host without all of its keys cannot be served.
    try settings.write(path + "/host.json")
    return setup
  }

  /// Creates a host's service from its folder.
  ///
  /// - Parameters:
  ///   - host: The folder, which stays open as long as the service runs.
  ///   - blobs: The store of its files.
  ///   - options: The options for listening; project, bucket and URL come from the folder.
  ///   - now: The clock.
  ///   - logger: The logger.
  /// - Returns: The service, which does not listen yet.
  /// - Throws: `folder` if the secret keys cannot be read; `unavailable` without the program `fovea`.
  package static func service(
    of host: HostFolder, blobs: any BlobStore, options: HostOptions, now: @escaping Now, logger: Logger
  ) throws(HostError) -> HostService {
    var options = options
    options.project = host.settings.project
    options.bucket = host.settings.bucket
    options.url = host.settings.url
    let ring = try KeyRing(path: host.ring)
    // Anyone who can read it is an administrator.
    try SecretFile.check(host.keys + "/admin.json")
    var runner = try ProgramModelRunner.nextToThisProgram()
    let isNoted = Atomic(false)
    runner.notSealed = {
      guard !isNoted.exchange(true, ordering: .relaxed) else { return }
      logger.warning(
        "This system has neither seccomp nor Landlock: checked models run with the host's permissions")
    }
    let models = ModelService(
      project: options.project, metadata: host.metadata, blobs: blobs, catalogue: Catalogue(),
      checker: FileCheck(runner: runner), now: now)
    let experiments = ExperimentService(models: models)
    return HostService(
      options: options, models: models,
      config: ConfigService(models: models, assignmentWork: { experiments.assignmentWork }) {
        experiments.assignments(of: $0)
      },
      experiments: experiments,
      authority: Authority(address: options.url, ring: ring, keys: [], now: now),
      ring: ring, metrics: Metrics(), logger: logger)
  }
}

extension FileCheck: FileChecking {
  package func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem> {
    try await facts(of: blob.path)
  }
}
#endif
