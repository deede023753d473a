// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// Writes every model and the templates in force into a new folder; see ``HostExport``.
  /// - Parameters:
  ///   - path: An empty folder, or one that does not exist yet.
  ///   - files: The store of its files; nil, by default, for its folder.
  /// - Returns: The number of models, and everything missing from the export.
  /// - Throws: `folder` if it is not empty, is within the folder of this host, or its files are in a bucket;
  ///   `unavailable`, `disk-full`.
  package func export(
    to path: String, files: (any BlobStore)? = nil
  ) async throws(HostError) -> HostExport.Written {
    try checkOutside(path)
    let blobs: any BlobStore = if let files { files } else { try localStore() }
    let models = try await metadata.models()
    let configs = try await metadata.currentConfigs(project: settings.project)
    return try await HostExport.write(
      models, project: settings.project, blobs: blobs, configs: configs, to: path)
  }
}
#endif
