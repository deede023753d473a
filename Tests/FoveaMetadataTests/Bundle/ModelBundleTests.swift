// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct ModelBundleTests {
  static let detectionManifest = """
    { "inferenceType": "QUANTIZED_UINT8", "inputShape": [1, 512, 512, 3], "inputTensor": "image_tensor",
      "maxDetections": 20, "somethingNew": {"a": [1]},
      "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences", "num_of_boxes"],
      "outputTensors": ["P", "P:1", "P:2", "P:3"] }
    """

  static func detection() -> AutoMLDetection {
    var detection = AutoMLDetection()
    detection.inferenceType = "QUANTIZED_UINT8"
    detection.inputShape = [1, 512, 512, 3]
    detection.inputTensor = "image_tensor"
    detection.maxDetections = 20
    detection.outputTensorRepresentation = [
      "bounding_boxes", "class_labels", "class_confidences", "num_of_boxes",
    ]
    detection.outputTensors = ["P", "P:1", "P:2", "P:3"]
    return detection
  }

  struct Found: CustomTestStringConvertible {
    let testDescription: String
    let files: [String: String]
    var path = ""
    let model: String
    let labels: String?
    let kind: ModelBundle.Kind
  }

  static let labeling = #"{"modelFile": "m.tflite", "labelsFile": "l.txt", "modelType": "IMAGE_LABELING",}"#

  static let found: [Found] = [
    Found(
      testDescription: "a file; the labels next to it are not guessed",
      files: ["m.tflite": "", "labels.txt": ""],
      path: "/m.tflite", model: "m.tflite", labels: nil, kind: .file),
    Found(
      testDescription: "a folder with a model",
      files: ["m.tflite": "", "notes.txt": "", ".hidden.tflite": ""],
      model: "m.tflite", labels: nil, kind: .folder),
    Found(
      testDescription: "a folder with a model and labels", files: ["M.TFLITE": "", "coco-labels-91.txt": ""],
      path: "/",
      model: "M.TFLITE", labels: "coco-labels-91.txt", kind: .folder),
    Found(
      testDescription: "a folder with dict.txt", files: ["m.tflite": "", "dict.txt": "", "sub.tflite/x": ""],
      model: "m.tflite", labels: "dict.txt", kind: .folder),
    Found(
      testDescription: "a labeling export", files: ["manifest.json": labeling, "m.tflite": "", "l.txt": ""],
      model: "m.tflite", labels: "l.txt", kind: .autoMLLabeling),
    Found(
      testDescription: "a labeling manifest among other models",
      files: ["a_manifest.json": labeling, "m.tflite": "", "n.tflite": "", "l.txt": ""],
      path: "/a_manifest.json",
      model: "m.tflite", labels: "l.txt", kind: .autoMLLabeling),
    Found(
      testDescription: "a manifest with a sub-folder and no labels",
      files: ["manifest.json": #"{"modelFile": "v1/m.tflite"}"#, "v1/m.tflite": ""], model: "v1/m.tflite",
      labels: nil,
      kind: .autoMLLabeling),
    Found(
      testDescription: "a manifest with members that are not used",
      files: [
        "manifest.json":
          #"{"modelFile": "m.tflite", "labelsFile": null, "modelName": "m", "labelCount": 3, "version": "1"}"#,
        "m.tflite": "",
      ], model: "m.tflite", labels: nil, kind: .autoMLLabeling),
    Found(
      testDescription: "both spellings of labels",
      files: [
        "manifest.json": #"{"modelFile": "m.tflite", "labelFile": "x.txt", "labelsFile": "l.txt"}"#,
        "m.tflite": "", "l.txt": "",
      ], model: "m.tflite", labels: "l.txt", kind: .autoMLLabeling),
    Found(
      testDescription: "a detection export",
      files: ["tflite_metadata.json": detectionManifest, "model.tflite": "", "dict.txt": ""],
      model: "model.tflite", labels: "dict.txt", kind: .autoMLDetection(detection())),
    Found(
      testDescription: "an empty detection manifest",
      files: ["tflite_metadata.json": "{}", "x.tflite": ""],
      path: "/tflite_metadata.json", model: "x.tflite", labels: nil, kind: .autoMLDetection(AutoMLDetection())
    ),
  ]

  @Test(arguments: found) func `a path leads to a model and its labels`(_ row: Found) throws {
    let folder = try TemporaryFolder()
    for (name, text) in row.files { try folder.write(name, text) }
    let bundle = try ModelBundle.open(folder.path + row.path)
    #expect(bundle.modelPath == folder.path + "/" + row.model)
    #expect(bundle.labelsPath == row.labels.map { folder.path + "/" + $0 })
    #expect(bundle.kind == row.kind)
  }

  struct Refused: CustomTestStringConvertible {
    let testDescription: String
    var files: [String: String] = [:]
    var path = ""
    let code: MetadataCode
    /// FOLDER stands for the folder's path.
    let message: String
  }

  static func manifest(_ text: String) -> [String: String] {
    ["manifest.json": text, "m.tflite": "", "l.txt": ""]
  }

  static let refused: [Refused] = [
    Refused(
      testDescription: "nothing there", path: "/none.tflite", code: .missingFile,
      message: "There is no file or folder 'FOLDER/none.tflite'"),
    Refused(testDescription: "an empty folder", code: .noModel, message: "The folder 'FOLDER' is empty"),
    Refused(
      testDescription: "a folder without a model", files: ["photo.jpg": ""], code: .noModel,
      message: "The folder 'FOLDER' has no .tflite file"),
    Refused(
      testDescription: "several models", files: ["b.tflite": "", "a.tflite": ""], code: .ambiguous,
      message: "The folder 'FOLDER' has 2 models: a.tflite, b.tflite"),
    Refused(
      testDescription: "several label files", files: ["a.tflite": "", "labels.txt": "", "dict.txt": ""],
      code: .ambiguous, message: "The folder 'FOLDER' has 2 label files: dict.txt, labels.txt"),
    Refused(
      testDescription: "a manifest that is not JSON", files: manifest("{\n \"modelFile\": m}"),
      code: .badManifest,
      message:
        "FOLDER/manifest.json is not JSON: a value is expected, found 'm' at line 2, column 15, byte 16"),
    Refused(
      testDescription: "a manifest that is a list", files: manifest("[]"), code: .badManifest,
      message: "FOLDER/manifest.json is JSON, but not an object"),
    Refused(
      testDescription: "no model file", files: manifest(#"{"modelType": "IMAGE_LABELING"}"#),
      code: .badManifest,
      message: "FOLDER/manifest.json does not name a 'modelFile'"),
    Refused(
      testDescription: "a number as model file", files: manifest(#"{"modelFile": 3}"#), code: .badManifest,
      message:
        "FOLDER/manifest.json has a wrong value at 'modelFile': expected a string, found a number"
    ),
    Refused(
      testDescription: "another model type",
      files: manifest(#"{"modelFile": "m.tflite", "modelType": "OBJECT_DETECTION"}"#), code: .badManifest,
      message: "FOLDER/manifest.json has the modelType 'OBJECT_DETECTION'; expected 'IMAGE_LABELING'"),
    Refused(
      testDescription: "an absent model", files: manifest(#"{"modelFile": "x.tflite"}"#), code: .missingFile,
      message: "FOLDER/manifest.json names the modelFile 'x.tflite', but there is no such file"),
    Refused(
      testDescription: "absent labels", files: manifest(#"{"modelFile": "m.tflite", "labelsFile": "x.txt"}"#),
      code: .missingFile,
      message: "FOLDER/manifest.json names the labelsFile 'x.txt', but there is no such file"),
    Refused(
      testDescription: "misspelt labels",
      files: manifest(#"{"modelFile": "m.tflite", "labelFile": "l.txt"}"#), code: .badManifest,
      message: "FOLDER/manifest.json has the unknown member 'labelFile'; did you mean 'labelsFile'?"),
    Refused(
      testDescription: "labels without their ending",
      files: manifest(#"{"labels": "l.txt", "modelFile": "m.tflite"}"#), code: .badManifest,
      message: "FOLDER/manifest.json has the unknown member 'labels'; did you mean 'labelsFile'?"),
    Refused(
      testDescription: "a misspelt model",
      files: manifest(#"{"modelfile": "m.tflite", "labelsFile": "l.txt"}"#), code: .badManifest,
      message: "FOLDER/manifest.json has the unknown member 'modelfile'; did you mean 'modelFile'?"),
    Refused(
      testDescription: "a path upwards", files: manifest(#"{"modelFile": "../m.tflite"}"#),
      code: .pathEscapesFolder,
      message:
        "FOLDER/manifest.json names the modelFile '../m.tflite', which is outside the manifest's folder"),
    Refused(
      testDescription: "a path up and down again", files: manifest(#"{"modelFile": "a/../../m.tflite"}"#),
      code: .pathEscapesFolder,
      message:
        "FOLDER/manifest.json names the modelFile 'a/../../m.tflite', which is outside the manifest's folder"),
    Refused(
      testDescription: "an absolute path", files: manifest(#"{"modelFile": "/etc/passwd"}"#),
      code: .pathEscapesFolder,
      message:
        "FOLDER/manifest.json names the modelFile '/etc/passwd', which is outside the manifest's folder"),
    Refused(
      testDescription: "a detection manifest with a shape of strings",
      files: ["tflite_metadata.json": #"{"inputShape": ["a"]}"#, "m.tflite": ""], code: .badManifest,
      message:
        "FOLDER/tflite_metadata.json has a wrong value at 'inputShape[0]': expected a whole number of at most 32 bits, found a string"
    ),
    Refused(
      testDescription: "a detection manifest with half a detection",
      files: ["tflite_metadata.json": #"{"maxDetections": 1.5}"#, "m.tflite": ""], code: .badManifest,
      message: "FOLDER/tflite_metadata.json has a wrong value at 'maxDetections': "
        + "expected a whole number of at most 32 bits, found 1.5"),
    Refused(
      testDescription: "a shape of more than 32 bits",
      files: ["tflite_metadata.json": #"{"inputShape": [1, 2147483648]}"#, "m.tflite": ""],
      code: .badManifest,
      message: "FOLDER/tflite_metadata.json has a wrong value at 'inputShape[1]': "
        + "expected a whole number of at most 32 bits, found 2147483648.0"),
    Refused(
      testDescription: "a detection manifest with no detections",
      files: ["tflite_metadata.json": #"{"maxDetections": 0}"#, "m.tflite": ""], code: .badManifest,
      message: "FOLDER/tflite_metadata.json has inputShape [] and maxDetections 0, which are not sizes"),
    Refused(
      testDescription: "outputs and their meaning do not match",
      files: [
        "tflite_metadata.json": #"{"outputTensors": ["a"], "outputTensorRepresentation": ["b", "c"]}"#,
        "m.tflite": "",
      ], code: .badManifest,
      message: "FOLDER/tflite_metadata.json names 1 outputTensors, but 2 outputTensorRepresentation"),
  ]

  @Test(arguments: refused) func `a file that is not a model is an error with a remedy`(_ row: Refused) throws
  {
    let folder = try TemporaryFolder()
    for (name, text) in row.files { try folder.write(name, text) }
    let path = folder.path + row.path
    let error = failure { () throws(MetadataError) in try ModelBundle.open(path) }
    #expect(error?.message == row.message.replacing("FOLDER", with: folder.path))
    #expect(error?.code == row.code)
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `a symbolic link out of the folder is rejected`() throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    try other.write("m.tflite", "")
    try folder.write("manifest.json", #"{"modelFile": "m.tflite"}"#)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/m.tflite", withDestinationPath: other.path + "/m.tflite")
    let path = folder.path
    let error = failure { () throws(MetadataError) in try ModelBundle.open(path) }
    #expect(error?.code == .pathEscapesFolder)
    #expect(
      error?.message
        == "\(path)/manifest.json names the modelFile 'm.tflite', a link that leads out of the manifest's folder"
    )
    #expect(
      error?.remedy.description
        == "Put the file itself next to the manifest; links out of the folder are not followed")
  }

  @Test func `a huge manifest is rejected before it is read`() throws {
    let folder = try TemporaryFolder()
    try folder.write("manifest.json", String(repeating: " ", count: 1 << 20 + 1))
    let path = folder.path
    #expect(failure { () throws(MetadataError) in try ModelBundle.open(path) }?.code == .tooLarge)
  }

  @Test func `an empty path is an error`() {
    #expect(failure { () throws(MetadataError) in try ModelBundle.open("") }?.code == .missingFile)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `Google's own sample opens despite its trailing comma`() throws {
    let folder = SharedData.path("models/classify/mlkit_automl")
    let bundle = try ModelBundle.open(folder)
    #expect(bundle.modelPath == folder + "/automl_labeler_model.tflite")
    #expect(bundle.labelsPath == folder + "/automl_labeler_labels.txt")
    #expect(bundle.kind == .autoMLLabeling)
    #expect(try ModelBundle.open(folder + "/automl_labeler_manifest.json") == bundle)
  }
}
