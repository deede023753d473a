// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

/// A host's information about a model, right and wrong.
@Suite struct ModelInfoTests {
  private static let sum = String(repeating: "a1", count: 32)

  struct WrongCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var replace: (String, String) = ("", "")
    var message: String
  }

  private static let good =
    "{\"downloadUri\":\"http://h/f\",\"expireTime\":\"2026-11-22T10:00:00.000Z\",\"sizeBytes\":\"12\","
    + "\"modelFormat\":\"TFLITE\",\"sha256\":\"\(sum)\",\"version\":\"3\",\"choices\":{\"seed\":\"s\","
    + "\"unit\":\"installation\",\"items\":[{\"below\":30,\"downloadUri\":\"http://h/g\","
    + "\"expireTime\":\"2026-11-22T10:00:00Z\",\"sizeBytes\":\"13\",\"sha256\":\"\(sum)\","
    + "\"version\":\"4\",\"variant\":\"b\"}]},\"unknown\":[1]}"

  private static let service: VersionHost? = {
    guard
      case .service(let service)? = try? HostAddress(
        "http://h/v1beta2/projects/p/models/{name}:download?key=k"
      )
      .place(of: "m")
    else { return nil }
    return service
  }()

  private static func read(_ text: String, tag: String? = sum) throws -> ModelInfo {
    try ModelInfo(json: Array(text.utf8), tag: tag, from: try #require(service))
  }

  @Test func `known fields are read, and the rest skipped`() throws {
    let info = try Self.read(Self.good)
    #expect(info.stable.address.url == "http://h/f" && info.stable.byteCount == 12)
    #expect(info.stable.sha256 == Self.sum && info.stable.published.version == "3")
    #expect(info.stable.published.tag == Self.sum)
    let assignment = try #require(info.assignment)
    #expect(assignment.seed == "s" && assignment.choices.map(\.below) == [30])
    let offer = assignment.choices[0].offer
    #expect(offer.published == .init(tag: Self.sum, version: "4", variant: "b"))
    #expect(offer.address.url == "http://h/g" && offer.byteCount == 13)
  }

  @Test func `Firebase's own response has neither hash nor version`() throws {
    let text =
      "{\"downloadUri\":\"http://h/f\",\"expireTime\":\"2026-11-22T10:00:00.000Z\",\"sizeBytes\":\"12\"}"
    #expect(try Self.read(text, tag: "t1").stable.sha256 == nil)
    #expect(try Self.read(text, tag: "t1").stable.published.tag == "t1")
    #expect(try Self.read(text).stable.sha256 == Self.sum, "a tag in the form of a hash is accepted")
    #expect(try Self.read(text).assignment == nil)
  }

  @Test(arguments: [
    ("abc", "abc"), ("\"abc\"", "abc"), ("W/\"abc\"", "abc"), ("abc--gzip", "abc"), ("\"abc--gzip\"", "abc"),
    ("", nil), ("a b", nil), ("a\u{7F}", nil), ("ä", nil), (String(repeating: "a", count: 257), nil),
  ])
  func `a proxy's changes to a tag are undone`(_ text: String, _ tag: String?) {
    #expect(ModelInfo.tag(text) == tag)
  }

  private static let wrongs: [WrongCase] = [
    WrongCase(
      testDescription: "no uri", replace: ("\"downloadUri\":\"http://h/f\",", ""),
      message: "'downloadUri' is missing"),
    WrongCase(
      testDescription: "a file's uri", replace: ("http://h/f", "file:///x"),
      message: "'downloadUri' is 'file:///x' instead of the address of a file on a web server"),
    WrongCase(
      testDescription: "a signed uri of no scheme", replace: ("http://h/f", "h/f?sig=x"),
      message: "'downloadUri' is 'h/f?sig=…' instead of the address of a file on a web server"),
    WrongCase(
      testDescription: "an empty uri", replace: ("http://h/f", ""),
      message: "'downloadUri' is '' instead of the address of a file on a web server"),
    WrongCase(
      testDescription: "no time", replace: ("\"expireTime\":\"2026-11-22T10:00:00.000Z\",", ""),
      message: "'expireTime' is missing"),
    WrongCase(
      testDescription: "a time of six digits", replace: ("00.000Z", "00.000000Z"),
      message:
        "'expireTime' is '2026-11-22T10:00:00.000000Z' instead of a time such as 2026-11-22T10:00:00.000Z"),
    WrongCase(
      testDescription: "no size", replace: ("\"sizeBytes\":\"12\",", ""), message: "'sizeBytes' is missing"),
    WrongCase(
      testDescription: "a size as a number", replace: ("\"sizeBytes\":\"12\"", "\"sizeBytes\":12"),
      message: "'sizeBytes': "),
    WrongCase(
      testDescription: "a negative size", replace: ("\"12\"", "\"-12\""),
      message: "'sizeBytes' is '-12' instead of a count of bytes"),
    WrongCase(
      testDescription: "no bytes", replace: ("\"12\"", "\"0\""),
      message: "'sizeBytes' is '0' instead of a count of bytes"),
    WrongCase(
      testDescription: "a size out of range", replace: ("\"12\"", "\"99999999999999999999\""),
      message: "'sizeBytes' is '99999999999999999999' instead of a count of bytes"),
    WrongCase(
      testDescription: "another format", replace: ("TFLITE", "COREML"),
      message: "'modelFormat' is 'COREML' instead of TFLITE"),
    WrongCase(
      testDescription: "a hash in capitals",
      replace: ("\"sha256\":\"\(sum)\",\"version\":\"3\"", "\"sha256\":\"A1\",\"version\":\"3\""),
      message: "'sha256' is 'A1' instead of 64 digits of 0 to 9 and a to f"),
    WrongCase(
      testDescription: "an invalid version", replace: ("\"version\":\"3\"", "\"version\":\"x\""),
      message: "'version' is 'x' instead of a whole number"),
    WrongCase(
      testDescription: "a version as a list", replace: ("\"version\":\"3\"", "\"version\":[3]"),
      message: "'version': "),
    WrongCase(
      testDescription: "choices of another kind", replace: ("\"items\":[", "\"items\":7,\"x\":["),
      message: "'choices.items': "),
    WrongCase(
      testDescription: "no items", replace: ("\"items\"", "\"itemz\""), message: "'choices.items' is missing"),
    WrongCase(
      testDescription: "no seed", replace: ("\"seed\"", "\"sead\""), message: "'choices.seed' is missing"),
    WrongCase(
      testDescription: "no unit", replace: ("\"unit\"", "\"unid\""), message: "'choices.unit' is missing"),
    WrongCase(
      testDescription: "no bound", replace: ("\"below\":30,", ""),
      message: "'choices.items[0].below' is missing"),
    WrongCase(
      testDescription: "a bound below 0", replace: ("\"below\":30", "\"below\":-1"),
      message: "'choices.items[0].below' is -1 instead of 0 to 100000000"),
    WrongCase(
      testDescription: "a bound out of range", replace: ("\"below\":30", "\"below\":100000001"),
      message: "'choices.items[0].below' is 100000001 instead of 0 to 100000000"),
    WrongCase(
      testDescription: "a bound as a text", replace: ("\"below\":30", "\"below\":\"30\""),
      message: "'choices.items[0].below': "),
    WrongCase(
      testDescription: "a choice without a hash",
      replace: ("\"sizeBytes\":\"13\",\"sha256\":\"\(sum)\",", "\"sizeBytes\":\"13\","),
      message: "'choices.items[0].sha256' is missing"),
    WrongCase(
      testDescription: "a choice without a size", replace: ("\"sizeBytes\":\"13\",", ""),
      message: "'choices.items[0].sizeBytes' is missing"),
    WrongCase(testDescription: "no JSON", replace: ("{\"down", "<html>{\"down"), message: ""),
    WrongCase(testDescription: "a list", replace: ("{\"down", "[{\"down"), message: ""),
  ]

  @Test(arguments: wrongs)
  func `an invalid field is named`(_ test: WrongCase) throws {
    let text = Self.good.replacing(test.replace.0, with: test.replace.1, maxReplacements: 1)
    #expect(text != Self.good)
    let beginning =
      "The answer of http://h/v1beta2/projects/p/models/m:download?key=… about the model 'm' cannot be read: "
    let error = #expect(throws: ModelStoreError.self) { try Self.read(text) }
    #expect(error?.code == .invalidInformation)
    #expect(error?.message.hasPrefix(beginning + test.message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [nil, "", "a b"])
  func `a response without a tag cannot be stored`(_ tag: String?) throws {
    let error = #expect(throws: ModelStoreError.self) { try Self.read(Self.good, tag: tag) }
    #expect(error?.message.hasSuffix("it has no header 'ETag'") == true)
  }

  @Test func `an assignment by an unknown unit leaves the stable version`() throws {
    let text = Self.good.replacing("installation", with: "household")
    #expect(text != Self.good)
    #expect(try Self.read(text).assignment == nil)
    #expect(try Self.read(Self.good.replacing("installation", with: "user")).assignment != nil)
  }

  // MARK: Over the wire

  @Test(arguments: [
    (400, ModelStoreCode.invalidOption), (401, .refused), (403, .refused), (404, .notFound),
    (429, .tooManyRequests), (500, .serverError), (503, .serverError),
  ])
  func `a host's error is repeated in its own words`(_ status: Int, _ code: ModelStoreCode) async throws {
    let host = try PublishingServer(nil)
    host.with { state in
      let body = "{\"error\":{\"code\":\(status),\"message\":\"Why\\u0007 not\",\"status\":\"X\"}}"
      state.information = .init(status: status, body: Array(body.utf8))
    }
    let test = TestModels()
    let error = await test.failure(test.hosted(host.address))
    #expect(error?.code == code)
    #expect(
      error?.message.contains("answered with status \(status) (Why not)") == true, "\(error?.message ?? "")")
    #expect(host.informationRequests.count == (status == 429 || status >= 500 ? 3 : 1))
  }

  @Test func `an endless response ends at the limit`() async throws {
    let host = try PublishingServer(nil)
    host.with { state in
      var reply = LoopbackServer.Reply(body: [UInt8](repeating: 0x20, count: ModelInfo.limit * 2))
      reply.announcedLength = -1
      state.information = reply
    }
    let test = TestModels()
    let error = await test.failure(test.hosted(host.address))
    #expect(error?.code == .invalidInformation)
    #expect(error?.message.hasSuffix("it has more than 524288 bytes") == true)
  }

  @Test func `a declared size of 100 GB is rejected before the file is requested`() async throws {
    let host = try PublishingServer(.init(1, TestModels.detector))
    let test = TestModels()
    var models = test.hosted(host.address)
    models.settings.options.sizeLimit = 88_559
    #expect(
      await test.failure(models)?.message
        == "The host announces 88560 bytes ('sizeBytes') instead of 88559 at most")
    #expect(host.fileRequests.isEmpty)
  }

  @Test func `a 304 for another tag is ignored`() async throws {
    let host = try PublishingServer(.init(1, TestModels.detector))
    let test = TestModels()
    try await test.pull(test.hosted(host.address))
    host.with { state in state.information = .init(status: 304, headers: ["ETag": "other"]) }
    #expect(await test.failure(test.hosted(host.address))?.code == .invalidInformation)
    host.with { state in state.information = .init(status: 304) }
    try await test.pull(test.hosted(host.address))
  }
}
