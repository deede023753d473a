// SPDX-License-Identifier: Apache-2.0
#if Server
/// Where a host keeps how loads of versions ended.
package protocol LoadStore: Sendable {
  /// Everything that was counted for the models of a project.
  func loads(project: String) async throws(HostError) -> [LoadKey: LoadCount]

  /// Adds new counts to those that are there, in one transaction.
  func addLoads(project: String, _ counts: [LoadKey: LoadCount]) async throws(HostError)

  /// How many bytes of each file were sent to devices, by its SHA-256.
  func sentBytes(project: String) async throws(HostError) -> [String: Int64]

  /// Adds to them, in one transaction.
  func addSentBytes(project: String, _ bytes: [String: Int64]) async throws(HostError)
}
#endif
