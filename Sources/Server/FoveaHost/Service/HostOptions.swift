// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaHTTP

/// How a host is run.
package struct HostOptions: Sendable {
  package var server = ServerOptions()
  /// The address that replies and signed addresses name, without a slash at its end.
  package var url = "http://127.0.0.1:8080"
  package var project = ""
  package var bucket = ""
  /// How long the address of a file works, in seconds.
  package var urlLifetime = 600.0
  /// Largest file that is taken, in bytes.
  package var maximumUpload: Int64 = 4 << 30
  /// Whether each request is logged, or only those that fail or are slow.
  package var accessLog = AccessLog.slow

  /// Whether a rollout is halted whose version fails to load.
  package var haltsRollouts = true
  /// Whether reports of loads and events of experiments need the token of an installation.
  package var requiresInstallation = false

  package init() {}
}
#endif
