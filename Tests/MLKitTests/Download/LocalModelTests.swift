// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import Testing

@Suite(.onOwnThread) struct LocalModelTests {
  struct ManifestCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// nil for no manifest.
    var text: String?
    var file = "manifest.json"
    /// nil if it is a model.
    var code: MLKitError.Code?
    var message = ""
  }

  @Test(arguments: [
    ManifestCase(
      testDescription: "as exported",
      text: #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#),
    ManifestCase(
      testDescription: "with a comma after the last value, as in Google's sample",
      text: #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING",}"#),
    ManifestCase(
      testDescription: "of another name", text: #"{"modelFile": "model.tflite"}"#, file: "My_Manifest.JSON"),
    ManifestCase(
      testDescription: "no manifest", text: nil, code: .notFound,
      message: "There is no file or folder 'FOLDER/manifest.json'"),
    ManifestCase(
      testDescription: "empty", text: "", code: .invalidArgument, message: "FOLDER/manifest.json is not JSON"),
    ManifestCase(
      testDescription: "no JSON", text: "model.tflite", code: .invalidArgument,
      message: "FOLDER/manifest.json is not JSON"),
    ManifestCase(
      testDescription: "no model named", text: "{}", code: .invalidArgument,
      message: "FOLDER/manifest.json does not name a 'modelFile'"),
    ManifestCase(
      testDescription: "a missing model", text: #"{"modelFile": "other.tflite"}"#, code: .notFound,
      message: "FOLDER/manifest.json names the modelFile 'other.tflite', but there is no such file"),
    ManifestCase(
      testDescription: "missing labels",
      text: #"{"modelFile": "model.tflite", "labelsFile": "other.txt"}"#, code: .notFound,
      message: "FOLDER/manifest.json names the labelsFile 'other.txt', but there is no such file"),
    ManifestCase(
      testDescription: "a path out of the folder", text: #"{"modelFile": "../model.tflite"}"#,
      code: .invalidArgument,
      message:
        "FOLDER/manifest.json names the modelFile '../model.tflite', which is outside the manifest's folder"),
    ManifestCase(
      testDescription: "another kind of model",
      text: #"{"modelFile": "model.tflite", "modelType": "TRANSLATION"}"#, code: .invalidArgument,
      message: "FOLDER/manifest.json has the modelType 'TRANSLATION'; expected 'IMAGE_LABELING'"),
    ManifestCase(
      testDescription: "a model instead of a manifest", text: "x", file: "x.tflite", code: .invalidArgument,
      message: "'FOLDER/x.tflite' is not the path of a manifest"),
  ])
  func `a manifest names a model, or reports why not`(_ test: ManifestCase) throws {
    let folder = NSTemporaryDirectory() + "fovea-manifest-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(ModelServer.classifier).write(to: URL(fileURLWithPath: folder + "/model.tflite"))
    try Data("a\n".utf8).write(to: URL(fileURLWithPath: folder + "/dict.txt"))
    let path = folder + "/" + test.file
    try test.text.map { try Data($0.utf8).write(to: URL(fileURLWithPath: path)) }
    let model = LocalModel(manifestPath: path)
    #expect((model == nil) == (test.code != nil))
    do throws(MLKitError) {
      let checked = try LocalModel(checkedManifestPath: path)
      #expect(test.code == nil)
      #expect(checked.path == folder + "/model.tflite" && checked.path == model?.path)
      #expect(checked.manifestPath == path)
    } catch {
      #expect(error.code == test.code)
      let text = error.message.replacing(folder, with: "FOLDER")
      #expect(text.hasPrefix(test.message), "\(text)")
      #expect(!error.remedy.description.isEmpty)
    }
  }

  @Test func `a path is kept unchanged, and the file is not read`() {
    let model = LocalModel(path: "/no/such/model.tflite")
    #expect(model.path == "/no/such/model.tflite" && model.manifestPath == nil)
  }

  @Test func `a URL's text names a manifest, and a model that is used`() throws {
    let folder = NSTemporaryDirectory() + "fovea url " + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(ModelServer.classifier).write(to: URL(fileURLWithPath: folder + "/a model.tflite"))
    let base = URL(fileURLWithPath: folder)
    let manifestFile = base.appendingPathComponent("manifest.json")
    try Data(#"{"modelFile": "a model.tflite"}"#.utf8).write(to: manifestFile)
    let manifest = manifestFile.absoluteString
    let checked = try LocalModel(checkedManifestPath: manifest)
    #expect(checked.path == folder + "/a model.tflite" && checked.manifestPath == manifest)
    let text = base.appendingPathComponent("a model.tflite").absoluteString
    let named = LocalModel(path: text)
    #expect(named.path == text && text.contains("%20"))
    let image = VisionImage(rgb: Data(repeating: 200, count: 32 * 32 * 3), width: 32, height: 32)
    for model in [checked, named] {
      let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))
      #expect(try !labeler.results(in: image).isEmpty)
    }
  }

  @Test func `conditions have Google's defaults and are copied as themselves`() {
    let conditions = ModelDownloadConditions()
    #expect(conditions.allowsCellularAccess && !conditions.allowsBackgroundDownloading)
    #expect(conditions.copy() as? ModelDownloadConditions === conditions)
    #expect(
      conditions == ModelDownloadConditions(allowsCellularAccess: true, allowsBackgroundDownloading: false))
    #expect(
      conditions != ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: false))
  }

  @Test func `a source gives the model its name, and both spellings of the notifications are one`() {
    let model = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "your_remote_model"))
    #expect(model.name == "your_remote_model")
    #expect(NSNotification.Name.mlkitMLModelDownloadDidSucceed == .mlkitModelDownloadDidSucceed)
    #expect(NSNotification.Name.mlkitMLModelDownloadDidFail == .mlkitModelDownloadDidFail)
  }
}
