// SPDX-License-Identifier: Apache-2.0
#if Server
  import Fovea
  import FoveaTesting
  import Logging
  import Testing

  @testable import FoveaServer

  @Suite struct ModelSettingsTests {
    private static func load(_ family: String?) async throws -> String? {
      let file = PackageRoot.path + "/Tests/Fixtures/models/described_detect.tflite"
      var entry = ModelEntry(name: "m", source: .file(file))
      entry.settings.family = family
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      return try await InferenceService([entry], options: InferenceOptions(), logger: logger)
        .registry.models.first?.family
    }

    @Test func `a family that is given is used, and one that does not fit is an error`() async throws {
      #expect(try await Self.load(nil) == "yolov8")
      #expect(try await Self.load("yolo11") == "yolov8")
      await #expect(throws: FoveaError.self) { try await Self.load("ssd-postprocess") }
    }

    @Test func `a family is about detectors alone`() throws {
      var settings = ModelSettings()
      settings.family = "yolo11"
      #expect(settings.detector(sessions: 2).family?.name == "yolov8")
      #expect(settings.inspection.family?.name == "yolov8")
      let error = #expect(throws: FoveaError.self) { try settings.labeler(sessions: 1) }
      #expect(error?.message.contains("'family' is about detectors") == true)
    }
  }
#endif
