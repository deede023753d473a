// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct ModelHostTests {
  @Test(arguments: [
    ("https://models.example", "https://models.example/m.tflite"),
    ("https://models.example/a/b/", "https://models.example/a/b/m.tflite"),
    ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x/m.tflite"),
    ("HTTPS://models.example", "HTTPS://models.example/m.tflite"),
    ("https://models.example/{name}/v1.tflite", "https://models.example/{name}/v1.tflite"),
    ("https://models.example/get?model={name}&v=2", "https://models.example/get?model={name}&v=2"),
    ("https://user:secret@models.example", "https://user:secret@models.example/m.tflite"),
  ])
  func `an address gives each model one of its own`(_ text: String, _ expected: String) throws {
    let place = try ModelHost(text).place(of: "m")
    let url = expected.replacing("{name}", with: "m")
    #expect(
      place == .web(DownloadAddress(url: url, allowsHTTP: text.hasPrefix("http:"), allowsFile: false)))
  }

  @Test(arguments: [
    ("file:///srv/models", "/srv/models/m.tflite"), ("file:///", "/m.tflite"),
    ("file:///srv/my%20models/", "/srv/my models/m.tflite"), ("/srv/models", "/srv/models/m.tflite"),
    ("models", "models/m.tflite"), ("/srv/{name}/{name}.tflite", "/srv/m/m.tflite"),
    ("file:///srv/{name}/model.tflite", "/srv/m/model.tflite"),
  ])
  func `a folder has a file for each name`(_ text: String, _ expected: String) throws {
    #expect(try ModelHost(text).place(of: "m") == .file(expected))
  }

  @Test(arguments: [
    "", "https://", "http://", "https:///x", "https://{name}", "https://models.example?x=1",
    "https://models.example/#a", "ftp://models.example", "file://host/folder", "https://models.example/a b",
    "https://models.example/{Name}", "file:///a%zz", "file:///a%2", "file:///a%00b", "file:///a%FF",
    "a\u{0}b",
    "https://models.example/\"", "https://" + String(repeating: "a", count: 2_000),
  ])
  func `what is no address of a host is an error that shows one`(_ text: String) {
    do throws(ModelStoreError) {
      _ = try ModelHost(text)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .invalidOption)
      #expect(error.remedy.description.contains("https://models.example/{name}/model.tflite"))
    }
  }

  @Test func `a password is not shown`() async throws {
    let test = TestModels()
    let error = await test.failure(test.hosted("ftp://user:secret@models.example"))
    #expect(error?.description.contains("secret") == false)
  }
}
