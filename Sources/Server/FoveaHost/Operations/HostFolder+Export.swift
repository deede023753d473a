// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostFolder {
  /// Writes every model and the templates in force into a new folder; see ``HostExport``.
  /// - Parameter path: A folder that is empty or not there yet.
  /// - Returns: The number of its models, and what the export lacks.
  /// - Throws: `folder` where it holds something or is in the folder of this host; `unavailable`, `disk-full`.
  package func export(to path: String) async throws(HostError) -> HostExport.Written {
    try checkOutside(path)
    let models = try await metadata.models()
    let configs = try await metadata.currentConfigs(project: settings.project)
    return try HostExport.write(
      models, project: settings.project, blobs: blobs, configs: configs, to: path)
  }
}
#endif
