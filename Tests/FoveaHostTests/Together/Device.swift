// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaModels
import FoveaTesting

/// A device with Fovea's client: its own folder for models, and an id that it never sends.
struct Device: Sendable {
  static let model = "birds"

  let id: String
  let models: HostedModels

  /// A device of a host, with its folder in `folder`.
  init(id: String, of host: RunningHost, in folder: TemporaryFolder) throws {
    self.id = id
    try folder.write("\(id)/.hosted/installation.json", "{\"layout\": 1, \"id\": \"\(id)\"}")
    models = try HostedModels(host: HostAddress(host.modelHost), folder: folder[id])
  }

  /// Devices whose ids are the same in each run.
  static func some(_ count: Int, of host: RunningHost, in folder: TemporaryFolder) throws -> [Device] {
    var generator = SeededGenerator(seed: 14)
    return try (0..<count).map { _ in
      let digits = (0..<2).map { _ in
        let text = String(generator.next(), radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
      }
      return try Device(id: digits.joined(), of: host, in: folder)
    }
  }
}

extension [Device] {
  /// Updates each device from its host, a few at a time.
  /// - Returns: The ids of those that have a version afterwards.
  func updated(to version: String) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for part in 0..<8 {
        group.addTask {
          var ids: [String] = []
          for device in self[stride: 8, from: part]
          where try await device.models.update(Device.model).version == version { ids.append(device.id) }
          return ids
        }
      }
      return try await group.reduce(into: []) { $0.formUnion($1) }
    }
  }

  private subscript(stride step: Int, from start: Int) -> [Device] {
    Swift.stride(from: start, to: count, by: step).map { self[$0] }
  }
}

extension RunningHost {
  private static let native = "/v1/host/projects/\(project)/models/\(Device.model)"

  /// The value of `FOVEA_MODEL_HOST` for devices.
  var modelHost: String {
    url + Self.information(of: "{name}")
  }

  /// The path at which a device requests a model.
  static func information(of model: String) -> String {
    "/v1beta2/projects/\(project)/models/\(model):download?key=\(appKey)"
  }

  /// Publishes a file as the next version.
  func publish(_ model: [UInt8], channel: String = "stable") throws {
    try change("POST", "/versions?channel=\(channel)", model)
  }

  /// Rolls a version out to a share of the devices.
  func rollOut(_ version: Int, percent: Int) throws {
    try change("PUT", "/rollout", Array("{\"version\": \(version), \"percent\": \(percent)}".utf8))
  }

  /// Undoes the last change.
  func rollBack() throws { try change("POST", ":rollback", Array("{}".utf8)) }

  private func change(_ method: String, _ path: String, _ body: [UInt8]) throws {
    let headers = ["Authorization": "Bearer \(tokens[.publisher] ?? "")"]
    let answer = try send(method, Self.native + path, headers: headers, body: body)
    guard answer.status == 200 else { throw TestFailure("\(method) \(path): \(answer.body)") }
  }
}
#endif
