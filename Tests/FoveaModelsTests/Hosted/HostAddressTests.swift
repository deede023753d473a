// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct HostAddressTests {
  @Test(arguments: [
    ("https://models.example", "https://models.example/m.tflite"),
    ("https://models.example/a/b/", "https://models.example/a/b/m.tflite"),
    ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x/m.tflite"),
    ("HTTPS://models.example", "HTTPS://models.example/m.tflite"),
    ("https://models.example/{name}/v1.tflite", "https://models.example/{name}/v1.tflite"),
    ("https://models.example/get?model={name}&v=2", "https://models.example/get?model={name}&v=2"),
    ("https://user:secret@models.example", "https://user:secret@models.example/m.tflite"),
  ])
  func `an address gives each model its own`(_ text: String, _ expected: String) throws {
    let place = try HostAddress(text).place(of: "m")
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
    #expect(try HostAddress(text).place(of: "m") == .file(expected))
  }

  @Test(arguments: [
    "", "https://", "http://", "https:///x", "https://{name}", "https://models.example?x=1",
    "https://models.example/#a", "ftp://models.example", "file://host/folder", "https://models.example/a b",
    "https://models.example/{Name}", "file:///a%zz", "file:///a%2", "file:///a%00b", "file:///a%FF",
    "a\u{0}b",
    "https://models.example/\"", "https://" + String(repeating: "a", count: 2_000),
  ])
  func `an invalid host address is an error that shows a valid one`(_ text: String) {
    do throws(ModelStoreError) {
      _ = try HostAddress(text)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .invalidOption)
      #expect(error.remedy.description.contains("https://models.example/{name}/model.tflite"))
    }
  }

  struct FormCase: CustomTestStringConvertible {
    let text: String
    let publishesVersions: Bool
    var reports: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    FormCase(
      text: "https://h/v1beta2/projects/p-1/models/{name}:download?key=k", publishesVersions: true,
      reports: "https://h/v1/host/projects/p-1/reports?key=k"),
    FormCase(
      text: "http://h:8080/under/v1beta2/projects/p/models/{name}:download", publishesVersions: true,
      reports: "http://h:8080/under/v1/host/projects/p/reports"),
    FormCase(text: "https://h/mine/{name}:download", publishesVersions: true),
    FormCase(text: "https://h/v1beta2/projects/a/b/models/{name}:download", publishesVersions: true),
    FormCase(text: "https://h/v1beta2/projects//models/{name}:download", publishesVersions: true),
    FormCase(text: "https://h/x{name}:download", publishesVersions: false),
    FormCase(text: "https://h/{name}:downloads", publishesVersions: false),
    FormCase(text: "https://h/get?model={name}:download", publishesVersions: false),
    FormCase(text: "/srv/{name}:download", publishesVersions: false),
    FormCase(text: "https://h/folder", publishesVersions: false),
  ])
  func `an address that ends with :download requests information`(_ test: FormCase) throws {
    let address = try HostAddress(test.text)
    #expect(address.publishesVersions == test.publishesVersions)
    #expect(!address.description.contains("key=k"))
    if case .service(let service) = address.place(of: "m") {
      #expect(test.publishesVersions && service.reports?.url == test.reports)
      #expect(service.information.url == test.text.replacing("{name}", with: "m"))
    } else {
      #expect(!test.publishesVersions)
    }
  }

  @Test func `a password is not shown`() async throws {
    let test = TestModels()
    let error = await test.failure(test.hosted("ftp://user:secret@models.example"))
    #expect(error?.description.contains("secret") == false)
  }
}
