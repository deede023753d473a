// SPDX-License-Identifier: Apache-2.0

/// What a download would bring, to be shown before it begins.
public struct DownloadPlan: Sendable, Hashable {
  /// The model.
  public let entry: CatalogueEntry
  /// The address that it comes from, without user name and password.
  public let url: String
  /// The size of the whole file in bytes; nil where neither the catalogue nor the server has it.
  public let byteCount: Int?
  /// How many of them are there already, from a download that was interrupted.
  public let presentBytes: Int
  /// The model, where exactly this version is there and whole: then there is nothing to download.
  public let installed: InstalledModel?

  let address: DownloadAddress
}
