// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaHTTP
import FoveaTesting
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct ModelNotesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let model: ModelEntry.Source
    /// A part of each note.
    let notes: [String]
    var testDescription: String { notes.first ?? "no note" }

    /// One of the fixtures.
    static func fixture(_ name: String, _ notes: String...) -> Row {
      Row(model: .file(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"), notes: notes)
    }
  }

  private static let withoutLabels =
    "The model has no labels, so its results have class numbers instead of names; give 'labels' for the "
    + "model in the file of --config, or write them into the model with fovea model add-metadata"

  static let rows: [Row] = [
    Row(model: .embedded(.detector), notes: []),
    Row(model: .embedded(.classifier), notes: []),
    Row(model: .embedded(.localizer), notes: []),
    .fixture("logits_unknown", "does not declare what its numbers are", withoutLabels),
    .fixture(
      "yolov2", "those of 'yolov2' are assumed, which models with 3 classes usually have", withoutLabels),
    .fixture("classifier_uint8", withoutLabels),
    .fixture("ssd_postprocess", withoutLabels),
    .fixture("yolov10", withoutLabels),
  ]

  /// A service, and its log at the start.
  private static func start(
    _ entries: [ModelEntry], _ options: InferenceOptions = InferenceOptions()
  ) async throws -> (service: InferenceService, records: [[String: String]]) {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in lines.withLock { $0.append(line) } }
    }
    let service = try await InferenceService(entries, options: options, logger: logger)
    let records = try lines.withLock { $0 }.compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    }
    return (service, records)
  }

  @Test(arguments: rows)
  func `the log has a model's assumptions once`(row: Row) async throws {
    let (service, records) = try await Self.start([ModelEntry(name: "m", source: row.model)])
    let model = try #require(service.registry.places.first?.current)
    #expect(model.notes.count == row.notes.count)
    let notes = records.filter { $0["body"] == "note on a model" && $0["model"] == "m" }
    #expect(notes.compactMap { $0["note"] } == model.notes.map(\.served))
    #expect(notes.allSatisfy { $0["severity"] == "notice" })
    for (note, part) in zip(notes, row.notes) { #expect(note["note"]?.contains(part) == true, "\(note)") }
  }

  @Test func `a model whose labels are in its settings has no note`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write("labels.txt", "cat\ndog\nbird\n")
    var entry = ModelEntry(name: "m", source: Row.fixture("classifier_uint8").model)
    entry.settings = try ModelSettings(["labels": .text(folder["labels.txt"])])
    let (service, records) = try await Self.start([entry])
    #expect(service.registry.places.first?.current?.labels == ["cat", "dog", "bird"])
    #expect(!records.contains { $0["body"] == "note on a model" })
  }

  /// A label map, and its labels that no model has, each with the nearest one.
  @Test(
    arguments: [
      (#"{"person": "p", "sports ball": null, "*": null}"#, []), ("{}", []),
      (#"{"prson": "p", "cat": "c"}"#, ["prson person"]),
      (#"{"qqqqqq": null, "Person": "p"}"#, ["Person person", "qqqqqq "]),
    ] as [(String, [String])])
  func `the log has the labels of the label map that no model has`(
    _ map: String, _ expected: [String]
  ) async throws {
    var options = InferenceOptions()
    options.labels = try ClientLabels(json: Array(map.utf8))
    func found(_ entries: [ModelEntry]) async throws -> [String] {
      try await Self.start(entries, options).records
        .filter { $0["body"] == "the label map has a label that no model has" && $0["severity"] == "warning" }
        .map { "\($0["label"] ?? "") \($0["nearest"] ?? "")" }
    }
    #expect(try await found([.embedded]) == expected)
    // A model without labels may have any.
    let unnamed = ModelEntry(name: "m", source: Row.fixture("yolov10").model)
    #expect(try await found([.embedded, unnamed]) == [])
  }

  @Test func `the log has a remedy for a model that is not loaded`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let localizer = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
    try folder.write("a.tflite", try RunningInference.bytes(localizer))
    try folder.write("doubtful.tflite", ModelSettingsTests.doubtful())
    var options = InferenceOptions()
    options.modelFolder = folder.path
    let records = try await Self.start([], options).records
    let record = try #require(records.first { $0["body"] == "model not loaded" })
    #expect(record["model"] == "doubtful")
    #expect(record["error"]?.contains("which does not appear to be an image") == true)
    #expect(record["remedy"]?.contains("'normalize' for the model in the file of --config") == true)
  }

  /// The names of the given models and of those in the folder, and of all that are served.
  @Test(
    arguments: [
      ([], ["a"], ["a"]), ([], ["b", "a"], ["a", "b"]), (["default"], ["a"], ["default", "a"]),
      (["a"], ["a", "b"], ["a", "b"]), (["a"], [], ["a"]),
    ] as [([String], [String], [String])])
  func `the summary has the models of a folder that can be loaded`(
    _ given: [String], _ names: [String], _ served: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let localizer = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
    for name in names { try folder.write("\(name).tflite", try RunningInference.bytes(localizer)) }
    try folder.write("doubtful.tflite", ModelSettingsTests.doubtful())
    var options = InferenceOptions()
    options.modelFolder = folder.path
    let entries = given.map { ModelEntry(name: $0, source: .embedded(.localizer)) }
    let service = try await Self.start(entries, options).service
    let text = options.summary(of: service.registry.entries, isSecure: false)
    let models = served.map { name in
      let place = given.contains(name) ? "built in: localizer" : folder["\(name).tflite"]
      return #"{"name": "\#(name)", "place": "\#(place)", "pinned": false}"#
    }
    #expect(text.contains("\"models\": [\(models.joined(separator: ", "))], "), "\(text)")
  }
}
#endif
