// SPDX-License-Identifier: Apache-2.0
#if Server
/// The store of the outcomes of loading versions on devices.
package protocol LoadStore: Sendable {
  /// Returns all counts for the models of a project.
  func loads(project: String) async throws(HostError) -> [LoadKey: LoadCount]

  /// Adds new counts to the existing ones, in one transaction.
  func addLoads(project: String, _ counts: [LoadKey: LoadCount]) async throws(HostError)

  /// Returns the number of bytes of each file sent to devices, by its SHA-256.
  func sentBytes(project: String) async throws(HostError) -> [String: Int64]

  /// Adds to these numbers, in one transaction.
  func addSentBytes(project: String, _ bytes: [String: Int64]) async throws(HostError)
}
#endif
