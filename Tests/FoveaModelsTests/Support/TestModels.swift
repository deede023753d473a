// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

@testable import FoveaModels

/// Hosted models in a new folder, which is removed with it.
final class TestModels: Sendable {
  static let name = "my_model"
  static let detector = ModelServer.detector
  static let classifier = ModelServer.classifier

  let folder: String

  init() { folder = NSTemporaryDirectory() + "fovea-hosted-" + UUID().uuidString }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Models without a proxy that wait for a silent server longer than a test takes.
  func hosted(_ host: String?, attempts: Int = 3) -> ModelDownloader {
    var models = ModelDownloader(defaultsFor: ModelStore(folder: folder, host: host))
    models.settings.options.attempts = attempts
    models.settings.options.stallTimeout = .seconds(60)
    models.settings.options.connectTimeout = .seconds(2)
    models.settings.retry.base = .zero
    models.settings.proxy = ""
    return models
  }

  @discardableResult
  func pull(_ models: ModelDownloader, _ name: String = name) async throws(ModelStoreError) -> InstalledModel
  {
    try await models.download(name) { _ in }
  }

  /// The error of a download.
  func failure(_ models: ModelDownloader, _ name: String = name) async -> ModelStoreError? {
    do throws(ModelStoreError) {
      try await pull(models, name)
      return nil
    } catch {
      return error
    }
  }

  /// Everything in the folder, relative to `.hosted`, files only, sorted.
  var files: [String] {
    let root = folder + "/.hosted"
    let all = FileManager.default.subpaths(atPath: root) ?? []
    return all.filter { FileSystem.size(of: root + "/" + $0) != nil }.sorted()
  }

  static func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    let path = folder + "/" + file
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func files(of versions: [[UInt8]]) -> [String] {
    ([name + "/current.json"]
      + versions.map { "\(name)/\(SHA256Text.of($0).prefix(16))/model.tflite" }).sorted()
  }
}
