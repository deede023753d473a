// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

/// The programs of Google's guides, run as by a user.
@Suite(.enabled(if: ExampleProgram.areBuilt, "needs the examples next to the tests: scripts/test"))
struct ExampleTests {
  @Test func `the custom classifier labels what the detector finds`() async throws {
    let run = try await ExampleProgram("CustomClassifier").run([])
    #expect(run.code == 0)
    #expect(
      run.output.contains(/Object at \d+, \d+, size \d+ × \d+\nLabel 0: Home good, 0\.[5-9]\d*, 2\n/),
      "\(run.output)")
  }

  @Test func `the coarse categories have Firebase's names`() async throws {
    let run = try await ExampleProgram("CoarseCategories").run([])
    #expect(run.code == 0)
    #expect(
      run.output.contains(/coffee\.jpg\n  home goods 0\.\d\d at \d+, \d+, size \d+ × \d+/),
      "\(run.output)")
    #expect(run.output.contains(/cat\.jpg\n  unknown – at/), "\(run.output)")
  }

  @Test func `the labeler reads its labels from the manifest's folder`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      atPath: PackageRoot.path + "/Sources/C/CEmbeddedModels/models/coarse_int8.tflite",
      toPath: folder.appendingPathComponent("model.tflite").path)
    let manifest = #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING",}"#
    try manifest.write(to: folder.appendingPathComponent("manifest.json"), atomically: true, encoding: .utf8)
    try "Fashion good\nFood\nHome good\nPlace\nPlant\n".write(
      to: folder.appendingPathComponent("dict.txt"), atomically: true, encoding: .utf8)
    let run = try await ExampleProgram("AutoMLLabeling").run([
      folder.appendingPathComponent("manifest.json").path
    ])
    #expect(run.code == 0)
    #expect(run.output.contains(/coffee\.jpg\n  Home good 0\.\d\d \(2\)/), "\(run.output)")
  }

  @Test func `without a host the model is the app's default`() async throws {
    let run = try await ExampleProgram("ModelOfConfig").run([])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("Using the default: "), "\(run.output)")
    #expect(
      run.output.hasSuffix("coarse_int8.tflite, the app's default\nHome good\n1 objects\n"), "\(run.output)")
  }

  @Test(arguments: [
    ("CustomClassifier", "missing is not an image"), ("CoarseCategories", "missing is not an image"),
    ("AutoMLLabeling", "missing is not an image"), ("LiveTracking", "missing: there is no such file"),
    ("AutoMLInterpreter", "Failed to load the given model."),
  ])
  func `a missing file is reported and ends the program`(_ name: String, _ message: String) async throws {
    let run = try await ExampleProgram(name).run(["missing", "missing", "missing"])
    #expect(run.code == 1)
    #expect(run.output.hasPrefix(message), "\(run.output)")
  }

  @Test(arguments: ["LiveTracking", "AutoMLInterpreter", "AutoMLLabeling"])
  func `missing arguments are reported`(_ name: String) async throws {
    let run = try await ExampleProgram(name).run([])
    #expect(run.code == 64)
    #expect(run.output.hasPrefix("usage: \(name) "))
  }
}

/// The same programs on the models and images of the shared data.
@Suite(
  .enabled(if: ExampleProgram.areBuilt, "needs the examples next to the tests: scripts/test"),
  .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct ExampleSharedDataTests {
  @Test func `a bird classifier names the bird by its species`() async throws {
    let run = try await ExampleProgram("CustomClassifier").run([
      SharedData.path("models/classify/mlkit_bird.tflite"), SharedData.path("photos/tfls_sparrow.png"),
    ])
    #expect(run.code == 0)
    #expect(run.output.contains(/Label 0: \w+ \w+, 0\.[5-9]\d*, \d+/), "\(run.output)")
  }

  @Test func `people walking by keep their identities`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-\(UUID().uuidString).mp4")
    defer { try? FileManager.default.removeItem(at: path) }
    // A third of the clip: a truncated video is played up to there.
    let clip = try SharedData.bytes("video/intel_one-by-one-person-detection.mp4")
    try Data(clip.prefix(1_000_000)).write(to: path)
    let run = try await ExampleProgram("LiveTracking").run([
      path.path, SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
    ])
    #expect(run.code == 0)
    let summary = try #require(run.output.firstMatch(of: /(\d+) frames, (\d+) identities/))
    #expect((400..<1394).contains(Int(summary.1) ?? 0), "\(run.output)")
    // Two people walk by; the detector finds some other objects for a while.
    let persons = run.output.matches(of: #/\n  \d+: person, (\d+) frames/#).compactMap { Int($0.1) }
    #expect(persons.filter { $0 > 100 }.count == 2, "\(run.output)")
  }

  @Test func `the interpreter finds the objects of a photo`() async throws {
    let run = try await ExampleProgram("AutoMLInterpreter").run([
      SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
      SharedData.path("models/detect/coco_ssd_labelmap.txt"),
      SharedData.path("photos/tfls_cats_and_dogs.jpg"), "0.5",
    ])
    #expect(run.code == 0)
    #expect(run.output.contains("Object found: cat (confidence: 0."), "\(run.output)")
  }

  @Test func `the interpreter runs an AutoML export`() async throws {
    let run = try await ExampleProgram("AutoMLInterpreter").run([
      SharedData.path("models/detect/automl_traffic_model.tflite"),
      SharedData.path("models/detect/coco_ssd_labelmap.txt"),
      SharedData.path("models/detect/automl_traffic_frames/0001.bmp"), "0.3",
    ])
    #expect(run.code == 0)
    #expect(run.output.contains("Object found: "), "\(run.output)")
  }

  @Test func `an AutoML labeler reads Google's own manifest`() async throws {
    let run = try await ExampleProgram("AutoMLLabeling").run([
      SharedData.path("models/classify/mlkit_automl/automl_labeler_manifest.json"),
      SharedData.path("photos/mlkit_daisy.jpeg"), SharedData.path("photos/mlkit_roses.jpeg"),
    ])
    #expect(run.code == 0)
    #expect(run.output.contains(/daisy\.jpeg\n  daisy 0\.9/), "\(run.output)")
    #expect(run.output.contains(/roses\.jpeg\n  roses 0\./), "\(run.output)")
  }
}
