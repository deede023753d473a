// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaHTTP

/// The configuration of a host.
package struct HostOptions: Sendable {
  package var server = ServerOptions()
  /// The base URL for replies and signed URLs, without a trailing slash.
  package var url = "http://127.0.0.1:8080"
  package var project = ""
  package var bucket = ""
  /// The lifetime of a file's URL, in seconds.
  package var urlLifetime = 600.0
  /// The size of the largest accepted file, in bytes.
  package var maximumUpload: Int64 = 4 << 30
  /// Whether each request is logged, or only those that fail or are slow.
  package var accessLog = AccessLog.slow

  /// Whether a rollout is halted when its version fails to load.
  package var haltsRollouts = true
  /// Whether load reports and events of experiments need the token of an installation.
  package var requiresInstallation = false
  /// The longest time for which a host answers from memory while its database is out of reach, in seconds.
  package var staleLimit = 3_600.0
  /// The number of free bytes on its disks below which a host is not ready for changes.
  package var leastSpace = FreeSpace.least
  /// The time from the start to the first removal of unused files.
  package var cleaningDelay = Duration.zero

  package init() {}
}
#endif
