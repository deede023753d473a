// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaModels
import MLKit
import Synchronization

/// Tasks that download, cancel, delete and list the same few models, through ML Kit's names and Fovea's.
struct DownloadUse {
  var tasks: Int
  /// The number of downloads requested through ML Kit's names; each posts its end once.
  var observers: Int

  private static let names = ["bird", "cat", "dog"]
  private static let model = PackageFolder.path + "/Tests/Fixtures/models/classifier_uint8.tflite"

  func check() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/fovea-threads-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let host = folder + "/host"
    try FileManager.default.createDirectory(atPath: host, withIntermediateDirectories: true)
    for name in Self.names {
      try FileManager.default.copyItem(atPath: Self.model, toPath: host + "/\(name).tflite")
    }
    // Before any task reads it.
    _ = unsafe setenv("FOVEA_MODELS", folder + "/models", 1)
    ModelManager.host = host

    let posts = Posts()
    let models = try HostedModels(host: HostAddress(host))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for turn in stride(from: task, to: observers, by: tasks) { try await use(turn, models) }
        }
      }
      try await group.waitForAll()
    }
    for _ in 0..<600 where posts.count < observers { try await Task.sleep(for: .milliseconds(100)) }
    try await Task.sleep(for: .milliseconds(200))
    guard posts.count == observers else {
      throw Failure("Downloads: \(observers) were asked for, and \(posts.count) ends were posted.")
    }
    for name in Self.names {
      try await models.update(name)
      try models.verify(name)
    }
    print(
      "Downloads: \(tasks) tasks, \(observers) downloads, some cancelled, some deleted: each ended once")
  }

  private func use(_ turn: Int, _ models: HostedModels) async throws {
    let name = Self.names[turn % Self.names.count]
    let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name))
    let manager = ModelManager.modelManager()
    let progress = manager.download(model, conditions: ModelDownloadConditions())
    switch turn % 7 {
    case 0: progress.cancel()
    case 1: try? await manager.deleteDownloadedModel(model)
    case 2: _ = try? await models.update(name)
    case 3: _ = try? models.rollBack(name)
    case 4: _ = manager.isModelDownloaded(model) && progress.isFinished
    case 5: _ = try? models.model(named: name)?.load { path in path.count }
    default: _ = try? models.list()
    }
  }

  /// Counts the ends of downloads.
  private final class Posts: @unchecked Sendable {
    // SAFETY: the observers are set once in init and read in deinit; the count is atomic.
    private let posted = Atomic(0)
    private var observers: [any NSObjectProtocol] = []

    var count: Int { posted.load(ordering: .relaxed) }

    init() {
      for name in [Notification.Name.mlkitModelDownloadDidSucceed, .mlkitModelDownloadDidFail] {
        observers.append(
          NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            self?.posted.add(1, ordering: .relaxed)
          })
      }
    }

    deinit { observers.forEach(NotificationCenter.default.removeObserver) }
  }
}
