// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaMetadata
import FoveaTesting

@testable import FoveaModels

/// A store in a new folder, whose catalogue has one model of known bytes; the folder is removed with it.
final class TestStore: Sendable {
  static let name = "test-model"
  static let alias = "short"
  static let fileName = "some_model.tflite"
  /// 200,000 bytes that do not repeat, the same in each run.
  static let bytes: [UInt8] = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<200_000).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }()
  static let sha256 = SHA256.hexadecimal(of: bytes.span)

  let store: ModelStore

  /// `size` is the size in the catalogue; nil if it has none.
  init(size: Int? = bytes.count, folder: String? = nil) throws {
    let path = folder ?? NSTemporaryDirectory() + "fovea-models-" + UUID().uuidString
    store = ModelStore(folder: path, catalogue: try Self.catalogue(size: size))
  }

  deinit { try? FileManager.default.removeItem(atPath: store.folder) }

  static func catalogue(size: Int? = bytes.count, sha256: String = sha256) throws -> ModelCatalogue {
    let bytes = size.map { "\"bytes\": \($0), " } ?? ""
    return try ModelCatalogue(
      json: Array(
        """
        {"layout": 1, "models": [{"name": "\(name)", "aliases": ["\(alias)"], "task": "detect", "license": "CC0-1.0", \(bytes)
          "url": "https://models.invalid/folder/\(fileName)?generation=1", "sha256": "\(sha256)"}]}
        """.utf8))
  }

  /// A downloader that uses the server as a mirror.
  ///
  /// A server on a busy machine may be silent for seconds: tests of stalled servers set `stall`.
  func downloader(
    _ host: String, attempts: Int = 3, stall: Duration = .seconds(60), sizeLimit: Int? = nil
  ) throws -> ModelDownloader {
    var options = ModelDownloader.Options()
    options.host = host
    options.attempts = attempts
    options.stallTimeout = stall
    options.connectTimeout = .seconds(2)
    if let sizeLimit { options.sizeLimit = sizeLimit }
    var downloader = try ModelDownloader(store: store, options: options)
    downloader.settings.retry.base = .zero
    downloader.settings.proxy = ""
    return downloader
  }

  /// Plans and downloads.
  @discardableResult
  func pull(
    _ downloader: ModelDownloader, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws(ModelStoreError) -> InstalledModel {
    try await downloader.download(downloader.plan(for: Self.name), progress: progress)
  }

  /// The error of a pull.
  func failure(_ downloader: ModelDownloader) async -> ModelStoreError? {
    do throws(ModelStoreError) {
      try await pull(downloader)
      return nil
    } catch {
      return error
    }
  }

  /// Everything in the folder, relative to it, files only, sorted.
  var files: [String] {
    let all = FileManager.default.subpaths(atPath: store.folder) ?? []
    return all.filter { FileSystem.size(of: store.folder + "/" + $0) != nil }.sorted()
  }

  func content(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: store.folder + "/" + file)))
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    let path = store.folder + "/" + file
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static let part = ".partial/\(sha256).part"
  static let tag = ".partial/\(sha256).etag"
  static let version = String(sha256.prefix(16))
  static let installedFiles = ["\(name)/\(version)/model.tflite", "\(name)/current.json"]
}
