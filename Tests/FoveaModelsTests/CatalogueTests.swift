// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct CatalogueTests {
  @Test func `the library's list is usable`() throws {
    let catalogue = try ModelCatalogue.standard()
    #expect(
      catalogue.entries.map(\.name) == [
        "coco-ssd-mobilenet-v1", "efficientdet-lite0", "ssd-mobilenet-v2-oidv4", "mobilenet-v2-imagenet",
        "mobilenet-v1-0.25-imagenet", "object-labeler",
        "selfie-segmentation", "selfie-segmentation-landscape",
      ])
    let coco = try #require(catalogue["coco-ssd-mobilenet-v1"])
    #expect(coco.task == .detect && coco.family == "ssd-postprocess" && coco.labelCount == 80)
    #expect(coco.inputSize?.width == 300 && coco.inputSize?.height == 300)
    #expect(coco.license == "Apache-2.0" && coco.byteCount == 4_185_023)
    #expect(coco.fileName == "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
    #expect(catalogue["object-labeler"]?.task == .label)
    #expect(catalogue["selfie-segmentation"]?.task == .segment)
    #expect(catalogue["COCO-SSD-MOBILENET-V1"] == nil)
    #expect(catalogue["coco-ssd"] == coco && coco.aliases == ["coco-ssd"])
  }

  @Test(
    .enabled(if: SharedData.isPresent, "\(SharedData.missing)"),
    arguments: [
      ("coco-ssd-mobilenet-v1", "models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
      ("mobilenet-v2-imagenet", "models/classify/tfls_mobilenet_v2_1.0_224_quant.tflite"),
      ("mobilenet-v1-0.25-imagenet", "models/classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite"),
      ("object-labeler", "models/classify/mlkit_object_labeler.tflite"),
      ("selfie-segmentation", "tasks/selfie_segmentation.tflite"),
      ("selfie-segmentation-landscape", "tasks/selfie_segmentation_landscape.tflite"),
    ])
  func `sizes and checksums match the files`(name: String, file: String) throws {
    let entry = try #require(try ModelCatalogue.standard()[name])
    let bytes = try SharedData.bytes(file)
    #expect(entry.byteCount == bytes.count)
    #expect(entry.sha256 == SHA256Text.of(bytes))
  }

  struct HostileCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reason: String
    var name = "m"
    var task = "detect"
    var license = "CC0-1.0"
    var url = "https://a/m.tflite"
    var sha256 = String(repeating: "0a", count: 32)
    var more = ""
    var json: String {
      """
      {"layout": 1, "models": [{"name": "\(name)", "task": "\(task)", "license": "\(license)", "url": "\(url)",
        "sha256": "\(sha256)"\(more)}]}
      """
    }
  }

  private static let nameRule =
    "is not a name for a model: 1 to 64 letters, digits, '.', '_' and '-', a letter or digit first"

  @Test(arguments: [
    HostileCase(
      testDescription: "an alias that is not a name", reason: "'../a' \(nameRule)",
      more: #", "aliases": ["../a"]"#),
    HostileCase(
      testDescription: "an alias that is its name", reason: "two models are named 'm'",
      more: #", "aliases": ["m"]"#),
    HostileCase(testDescription: "up", reason: "'../m' \(nameRule)", name: "../m"),
    HostileCase(testDescription: "absolute", reason: "'/etc/passwd' \(nameRule)", name: "/etc/passwd"),
    HostileCase(testDescription: "two points", reason: "'..' \(nameRule)", name: ".."),
    HostileCase(testDescription: "two points inside", reason: "'a..b' \(nameRule)", name: "a..b"),
    HostileCase(testDescription: "hidden", reason: "'.partial' \(nameRule)", name: ".partial"),
    HostileCase(testDescription: "an option", reason: "'-rf' \(nameRule)", name: "-rf"),
    HostileCase(testDescription: "empty", reason: "'' \(nameRule)", name: ""),
    HostileCase(testDescription: "backslash", reason: "'a\\b' \(nameRule)", name: "a\\\\b"),
    HostileCase(testDescription: "a zero", reason: "'a?' \(nameRule)", name: "a\\u0000"),
    HostileCase(testDescription: "an escape", reason: "'?[31m' \(nameRule)", name: "\\u001b[31m"),
    HostileCase(testDescription: "a disguised slash", reason: "'a∕b' \(nameRule)", name: "a∕b"),
    HostileCase(
      testDescription: "too long", reason: "'\(String(repeating: "a", count: 65))' \(nameRule)",
      name: String(repeating: "a", count: 65)),
    HostileCase(
      testDescription: "task", reason: "the task of 'm' is 'steal', not detect, label or segment",
      task: "steal"),
    HostileCase(
      testDescription: "no encryption",
      reason: "the URL of 'm' is 'http://a/m.tflite', not a https:// address",
      url: "http://a/m.tflite"),
    HostileCase(
      testDescription: "a file", reason: "the URL of 'm' is 'file:///etc/passwd', not a https:// address",
      url: "file:///etc/passwd"),
    HostileCase(
      testDescription: "a line break in the URL",
      reason: "the URL of 'm' is 'https://a/m?X: y', not a https:// address", url: "https://a/m\\nX: y"),
    HostileCase(
      testDescription: "no file", reason: "the URL of 'm' does not end in a file name: 'https://a/'",
      url: "https://a/"),
    HostileCase(
      testDescription: "a file with a path upwards",
      reason: "the URL of 'm' does not end in a file name: 'https://a/..'",
      url: "https://a/.."),
    HostileCase(
      testDescription: "an encoded slash",
      reason: "the URL of 'm' does not end in a file name: 'https://a/x%2f..%2fy'",
      url: "https://a/x%2f..%2fy"),
    HostileCase(
      testDescription: "checksum", reason: "the sha256 of 'm' is not 64 lowercase hexadecimal digits",
      sha256: "../../x"),
    HostileCase(
      testDescription: "negative size",
      reason: "bytes, labels and the two numbers of input of 'm' must be positive",
      more: ", \"bytes\": -1"),
    HostileCase(
      testDescription: "input", reason: "bytes, labels and the two numbers of input of 'm' must be positive",
      more: ", \"input\": [1]"),
    HostileCase(
      testDescription: "licence", reason: "license and family of 'm' must be lines of 1 to 80 characters",
      license: "\\u001b]0;x"),
  ])
  func `a harmful catalogue is rejected`(_ test: HostileCase) {
    let error = #expect(throws: ModelStoreError.self) { try ModelCatalogue(json: Array(test.json.utf8)) }
    #expect(error?.code == .invalidCatalogue)
    #expect(error?.message == "The catalogue of models cannot be used: \(test.reason)")
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"layout": 2, "models": []}"#, #"{"layout": 1}"#,
    #"{"layout": 1, "models": [{}]}"#,
    #"{"layout": "1", "models": []}"#,
  ])
  func `a text that is not a catalogue is rejected`(_ text: String) {
    let error = #expect(throws: ModelStoreError.self) { try ModelCatalogue(json: Array(text.utf8)) }
    #expect(error?.code == .invalidCatalogue)
  }

  @Test func `two models with one name are rejected, ignoring case`() throws {
    let model = { (name: String) in
      #"{"name": "\#(name)", "task": "label", "license": "x", "url": "https://a/b", "sha256": "\#(TestStore.sha256)"}"#
    }
    let json = #"{"layout": 1, "models": [\#(model("Abc")), \#(model("aBC"))]}"#
    let error = #expect(throws: ModelStoreError.self) { try ModelCatalogue(json: Array(json.utf8)) }
    #expect(error?.message.hasSuffix("two models are named 'aBC'") == true)
  }

  @Test(arguments: [
    ("coco-ssd", ["coco-ssd-mobilenet-v1"]), ("object-labeller", ["object-labeler"]),
    ("objcet-labeler", ["object-labeler"]), ("EfficientDet_Lite0", ["efficientdet-lite0"]),
    ("mobilenet", ["mobilenet-v2-imagenet", "coco-ssd-mobilenet-v1", "ssd-mobilenet-v2-oidv4"]),
    ("", []), ("x", []), ("resnet50", []), (String(repeating: "a", count: 10_000), []),
  ])
  func `the nearest names are found`(text: String, names: [String]) throws {
    #expect(try Set(ModelCatalogue.standard().names(near: text)) == Set(names))
  }
}
