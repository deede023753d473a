// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

/// The programs of Google's guides, run as a user would.
@Suite(.enabled(if: ExampleProgram.areBuilt, "needs the examples beside the tests: swift build"))
struct ExampleTests {
  @Test func `the custom classifier labels what the detector finds`() throws {
    let run = try ExampleProgram("CustomClassifier").run([])
    #expect(run.status == 0)
    #expect(
      run.output.contains(/Object at \d+, \d+, size \d+ × \d+\nLabel 0: Home good, 0\.[5-9]\d*, 2\n/),
      "\(run.output)")
  }

  @Test func `the coarse categories have Firebase's names`() throws {
    let run = try ExampleProgram("CoarseCategories").run([])
    #expect(run.status == 0)
    #expect(
      run.output.contains(/coffee\.jpg\n  home goods 0\.\d\d at \d+, \d+, size \d+ × \d+/),
      "\(run.output)")
    #expect(run.output.contains(/cat\.jpg\n  unknown – at/), "\(run.output)")
  }

  @Test func `the labeler takes its labels from the manifest's folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      atPath: PackageRoot.path + "/Sources/CEmbeddedModels/models/coarse_int8.tflite",
      toPath: folder.appendingPathComponent("model.tflite").path)
    let manifest = #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING",}"#
    try manifest.write(to: folder.appendingPathComponent("manifest.json"), atomically: true, encoding: .utf8)
    try "Fashion good\nFood\nHome good\nPlace\nPlant\n".write(
      to: folder.appendingPathComponent("dict.txt"), atomically: true, encoding: .utf8)
    let run = try ExampleProgram("AutoMLLabeling").run([folder.appendingPathComponent("manifest.json").path])
    #expect(run.status == 0)
    #expect(run.output.contains(/coffee\.jpg\n  Home good 0\.\d\d \(2\)/), "\(run.output)")
  }

  @Test(arguments: [
    ("CustomClassifier", "missing is not a picture"), ("CoarseCategories", "missing is not a picture"),
    ("AutoMLLabeling", "missing is not a picture"), ("LiveTracking", "missing: there is no such file"),
    ("AutoMLInterpreter", "Failed to load the given model."),
  ])
  func `a file that is not there is said and ends the program`(_ name: String, _ message: String) throws {
    let run = try ExampleProgram(name).run(["missing", "missing", "missing"])
    #expect(run.status == 1)
    #expect(run.output.hasPrefix(message), "\(run.output)")
  }

  @Test(arguments: ["LiveTracking", "AutoMLInterpreter", "AutoMLLabeling"])
  func `what is needed is said`(_ name: String) throws {
    let run = try ExampleProgram(name).run([])
    #expect(run.status == 64)
    #expect(run.output.hasPrefix("usage: \(name) "))
  }
}

/// The same programs on the models and pictures of the shared data.
@Suite(
  .enabled(if: ExampleProgram.areBuilt, "needs the examples beside the tests: swift build"),
  .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct ExampleSharedDataTests {
  @Test func `a bird classifier names the bird by its species`() throws {
    let run = try ExampleProgram("CustomClassifier").run([
      SharedData.path("models/classify/mlkit_bird.tflite"), SharedData.path("photos/tfls_sparrow.png"),
    ])
    #expect(run.status == 0)
    #expect(run.output.contains(/Label 0: \w+ \w+, 0\.[5-9]\d*, \d+/), "\(run.output)")
  }

  @Test func `people who walk by keep their identities`() throws {
    let run = try ExampleProgram("LiveTracking").run([
      SharedData.path("video/intel_one-by-one-person-detection.mp4"),
      SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
    ])
    #expect(run.status == 0)
    let summary = try #require(run.output.firstMatch(of: /(\d+) frames, (\d+) identities/))
    #expect(summary.1 == "1394")
    // Six people walk by; the detector finds some other things for a while.
    #expect(run.output.matches(of: #/\n  \d+: person, /#).count >= 6, "\(run.output)")
  }

  @Test func `the interpreter finds the objects of a photo`() throws {
    let run = try ExampleProgram("AutoMLInterpreter").run([
      SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
      SharedData.path("models/detect/coco_ssd_labelmap.txt"),
      SharedData.path("photos/tfls_cats_and_dogs.jpg"), "0.5",
    ])
    #expect(run.status == 0)
    #expect(run.output.contains("Object found: cat (confidence: 0."), "\(run.output)")
  }

  @Test func `the interpreter runs an AutoML export`() throws {
    let run = try ExampleProgram("AutoMLInterpreter").run([
      SharedData.path("models/detect/automl_traffic_model.tflite"),
      SharedData.path("models/detect/coco_ssd_labelmap.txt"),
      SharedData.path("models/detect/automl_traffic_frames/0001.bmp"), "0.3",
    ])
    #expect(run.status == 0)
    #expect(run.output.contains("Object found: "), "\(run.output)")
  }

  @Test func `an AutoML labeler reads Google's own manifest`() throws {
    let run = try ExampleProgram("AutoMLLabeling").run([
      SharedData.path("models/classify/mlkit_automl/automl_labeler_manifest.json"),
      SharedData.path("photos/mlkit_daisy.jpeg"), SharedData.path("photos/mlkit_roses.jpeg"),
    ])
    #expect(run.status == 0)
    #expect(run.output.contains(/daisy\.jpeg\n  daisy 0\.9/), "\(run.output)")
    #expect(run.output.contains(/roses\.jpeg\n  roses 0\./), "\(run.output)")
  }
}
