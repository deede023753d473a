// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaModels
import FoveaTesting
import Testing

@testable import FoveaRemoteConfig

@Suite(.timeLimit(.minutes(5))) struct HostedConfigTests {
  private func failure(_ config: HostedConfig) async -> ConfigError? {
    do throws(ConfigError) {
      try await config.fetch(ifOlderThan: .zero)
      return nil
    } catch {
      return error
    }
  }

  @Test func `values take effect when they are activated, and survive a restart without a network`()
    async throws
  {
    let host = try ConfigHost()
    let config = try host.config()
    config.setDefaults(["model_name": "small", "other": "1"])
    #expect(config["model_name"].text == "small" && config["model_name"].source == .defaults)
    #expect(config["none"].text == "" && config["none"].source == .missing)
    #expect(try await config.fetch() == .fetched)
    #expect(config["model_name"].text == "small")
    #expect(try config.activate())
    #expect(try !config.activate())
    #expect(config["model_name"].text == "birds" && config["model_name"].source == .host)
    #expect(config["other"].integer == 1)
    #expect(config.variant(of: "birds-2") == "b")
    #expect(config.variants.first?.keys == ["model_name"])
    host.server.stop()
    let again = try host.config()
    #expect(again["model_name"].text == "birds")
    #expect(await failure(again)?.code == .unreachable)
    #expect(again["model_name"].text == "birds" && again.hasFailed)
  }

  @Test func `the host is not asked within the interval, and a clock set back asks it`() async throws {
    let host = try ConfigHost()
    let config = try host.config()
    #expect(try await config.fetch() == .fetched)
    host.with { $0.now += 43_199 }
    #expect(try await config.fetch() == .recent)
    #expect(host.fetches.count == 1)
    host.with { $0.now += 1 }
    #expect(try await config.fetch() == .unchanged)
    #expect(host.fetches.last?.headers["if-none-match"] == "etag-1")
    host.with { $0.now -= 100_000 }
    #expect(try await config.fetch() == .unchanged)
    #expect(host.fetches.count == 3)
  }

  @Test func `the app's own values are sent, and the user only if there is one`() async throws {
    let host = try ConfigHost()
    try await host.config().fetch(ifOlderThan: .zero)
    let first = String(decoding: host.fetches[0].body, as: UTF8.self)
    #expect(
      first.hasPrefix("{\"appInstanceId\": \"")
        && first.hasSuffix("\"appId\": \"fovea\", \"sdkVersion\": \"fovea\"}"))
    let config = try host.config { options in
      options.user = "u\"1"
      options.signals = ["city": "Rome"]
    }
    try await config.fetch(ifOlderThan: .zero)
    let second = String(decoding: host.fetches[1].body, as: UTF8.self)
    #expect(
      second.contains("\"userId\": \"u\\\"1\"") && second.contains("\"customSignals\": {\"city\": \"Rome\"}"))
  }

  @Test(arguments: [
    (304, "", ConfigCode.refused), (204, "", .refused), (400, "", .refused), (403, "", .refused),
    (429, "", .throttled), (500, "", .throttled), (503, "", .throttled), (200, "", .invalidAnswer),
    (200, "{", .invalidAnswer), (200, "[]", .invalidAnswer), (200, "{\"state\":\"UPDATE\"}", .invalidAnswer),
    (200, "{\"state\":\"NO_CHANGE\"}", .invalidAnswer), (200, "{\"state\":\"NEW\"}", .invalidAnswer),
    (200, "{\"state\":\"UPDATE\",\"entries\":{\"a\":1}}", .invalidAnswer), (200, "<html>", .invalidAnswer),
  ])
  func `a response that is not a configuration is an error, and the values stay`(
    _ status: Int, _ body: String, _ code: ConfigCode
  ) async throws {
    let host = try ConfigHost()
    host.with { $0.reply = .init(status: status, body: Array(body.utf8)) }
    let config = try host.config()
    config.setDefaults(["a": "1"])
    let error = await failure(config)
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error.map { !$0.message.contains("secret") && !"\($0.remedy)".isEmpty } == true)
    #expect(config["a"].text == "1" && config.hasFailed)
    #expect(try !config.activate())
  }

  @Test func `pauses double, a host's Retry-After counts, and the pause survives a restart`() async throws {
    let host = try ConfigHost()
    host.with { $0.reply = .init(status: 503) }
    var config = try host.config()
    for seconds in [120, 240, 480, 960] {
      #expect(await failure(config)?.code == .throttled)
      let now = host.with { Int($0.now) }
      #expect(config.pausedUntil == now + seconds)
      config = try host.config()
      let count = host.fetches.count
      #expect(await failure(config)?.code == .throttled)
      #expect(host.fetches.count == count)
      host.with { $0.now += Double(seconds) }
    }
    host.with { $0.reply = .init(status: 429, headers: ["Retry-After": "7000"]) }
    #expect(await failure(config)?.code == .throttled)
    #expect(config.pausedUntil == host.with { Int($0.now) } + 7_000)
    // A clock that is set back by years does not cause a pause of years.
    host.with { state in
      state.now -= 1_000_000 - 1
      state.reply = nil
    }
    #expect(try await config.fetch(ifOlderThan: .zero) == .fetched)
    #expect(config.pausedUntil == nil)
  }

  @Test(arguments: ["NO_TEMPLATE", "EMPTY_CONFIG"])
  func `a host without values removes its earlier ones`(_ state: String) async throws {
    let host = try ConfigHost()
    let config = try host.config()
    try await config.fetchAndActivate()
    host.with { $0.reply = .init(headers: ["ETag": "e2"], body: Array("{\"state\":\"\(state)\"}".utf8)) }
    #expect(try await config.fetch(ifOlderThan: .zero) == .fetched)
    #expect(try config.activate())
    #expect(config["model_name"].source == .missing && config.variants.isEmpty)
  }

  @Test func `values are read as other types`() throws {
    func value(_ text: String) -> ConfigValue { ConfigValue(text: text, source: .host, key: "k") }
    for text in ["1", "true", "T", "Yes", "y", "ON"] { #expect(value(text).isTrue) }
    for text in ["", "0", "false", "2", "off"] { #expect(!value(text).isTrue) }
    #expect(value("1.5").number == 1.5 && value("x").number == nil && value("1.5").integer == nil)
    #expect(try value("[1,2]").decoded(as: [Int].self) == [1, 2])
    let error = #expect(throws: ConfigError.self) { try value("{}").decoded(as: [Int].self) }
    #expect(
      error?.message
        == "The value of 'k' is not the JSON of Array<Int>: expected an array, got an object")
    #expect(error?.code == .invalidValue)
  }

  @Test func `values of Foundation's types have the form of its own decoder`() throws {
    struct Offer: Codable, Equatable {
      var link = URL(string: "https://h/a?b=c")
      var price = Decimal(string: "19.9900000000000000001")
      var key = Data([1, 2, 255])
      var until = Date(timeIntervalSinceReferenceDate: 12.5)
    }
    let text = String(decoding: try JSONEncoder().encode(Offer()), as: UTF8.self)
    let value = ConfigValue(text: text, source: .host, key: "k")
    #expect(try value.decoded(as: Offer.self) == Offer())
    let wrong = ConfigValue(text: "[1]", source: .host, key: "k")
    let error = #expect(throws: ConfigError.self) { try wrong.decoded(as: [URL].self) }
    #expect(error?.message.contains("at '[0]': expected a value of type URL, got a number") == true)
  }

  @Test(arguments: ["https://models.example/folder", "folder", "https://h/{name}:download"])
  func `an address without a project is rejected`(_ text: String) throws {
    let address = try HostAddress(text)
    let folder = try TemporaryFolder()
    let error = #expect(throws: ConfigError.self) { try HostedConfig(host: address, folder: folder.path) }
    #expect(error?.code == .hostMissing)
  }

  @Test func `a damaged file is ignored, and a folder that cannot be written is an error`() async throws {
    let host = try ConfigHost()
    try await host.config().fetchAndActivate()
    let folder = try #require(host.folder)
    let place = try ConfigPlace(host: HostAddress(host.address), folder: folder.path, app: "fovea")
    for text in ["", "{", "[]", "{\"layout\": 2}", "\u{0}"] {
      try folder.write(".hosted/config-\(place.id).json", text)
      #expect(try host.config()["model_name"].source == .missing)
    }
    let address = try HostAddress(host.address)
    let config = try HostedConfig(
      host: address, folder: "/dev/null/models", options: .init(), in: host.surroundings)
    #expect(await failure(config)?.code == .store)
  }

  @Test func `a listener is notified of a new version, and its end ends the connection`() async throws {
    let host = try ConfigHost()
    let config = try host.config()
    try await config.fetchAndActivate()
    host.with { state in
      state.version = 2
      state.tag = "etag-2"
      state.entries = ["model_name": "more-birds", "new": "1"]
      state.stream = "\n{\"unknown\": \"x\"}{\"latestTemplateVersionNumber\": \"2\"}\n"
    }
    let task = Task {
      for await update in config.updates() { return try update.get().keys }
      return []
    }
    #expect(try await task.value == ["model_name", "new"])
    #expect(config["model_name"].text == "birds")
    #expect(try config.activate())
    #expect(config["model_name"].text == "more-birds")
  }
}
