// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaTesting
import Testing

@testable import FirebaseRemoteConfig
@testable import FoveaRemoteConfig

@Suite(.timeLimit(.minutes(5))) struct RemoteConfigTests {
  @Test func `Firebase's names read the host's values`() async throws {
    let host = try ConfigHost()
    host.with { $0.entries = ["model_name": "birds", "size": "2.5", "on": "yes", "list": "[1]"] }
    let config = RemoteConfig(.success(try host.config()))
    config.setDefaults(["model_name": "small" as NSString, "count": 3 as NSNumber])
    #expect(config.lastFetchStatus == .noFetchYet && config.lastFetchTime == nil)
    #expect(config["model_name"].stringValue == "small" && config["model_name"].source == .default)
    #expect(config["count"].numberValue == 3)
    #expect(try await config.fetchAndActivate() == .successFetchedFromRemote)
    #expect(try await config.fetchAndActivate() == .successUsingPreFetchedData)
    let name = config.configValue(forKey: "model_name").stringValue
    #expect(name == "birds")
    #expect(config["size"].numberValue.doubleValue == 2.5 && config["on"].boolValue)
    #expect(try config["list"].decoded(asType: [Int].self) == [1])
    #expect(config["list"].jsonValue as? [Int] == [1])
    #expect(config.configValue(forKey: nil).source == .static)
    #expect(config.configValue(forKey: "model_name", source: .default).stringValue == "small")
    #expect(config.allKeys(from: .default) == ["count", "model_name"])
    #expect(config.keys(withPrefix: "model") == ["model_name"])
    #expect(config.lastFetchStatus == .success)
    #expect(config.lastFetchTime == Date(timeIntervalSince1970: 1_000_000))
  }

  @Test func `a host that asks to wait is an error with Firebase's number`() async throws {
    let host = try ConfigHost()
    host.with { $0.reply = .init(status: 429) }
    let config = RemoteConfig(.success(try host.config()))
    let error = await #expect(throws: RemoteConfigError.self) { try await config.fetch() }
    #expect(error?.code == .throttled && error?.errorCode == 8_002)
    #expect(error?.errorUserInfo[RemoteConfigThrottledEndTimeInSecondsKey] as? NSNumber == 1_000_120)
    #expect(config.lastFetchStatus == .throttled)
  }

  @Test func `without a host there are defaults, and a fetch explains what to set`() async throws {
    let missing = ConfigError(.hostMissing, "No host is set", remedy: "Set FOVEA_MODEL_HOST")
    let config = RemoteConfig(.failure(missing))
    config.setDefaults(["a": "1" as NSString])
    #expect(config["a"].boolValue && config["b"].stringValue == "")
    let error = await #expect(throws: RemoteConfigError.self) { try await config.fetch() }
    #expect(error?.code == .internalError && error?.errorDescription?.contains("FOVEA_MODEL_HOST") == true)
  }

  @Test func `a completion is called once`() async throws {
    let host = try ConfigHost()
    let config = RemoteConfig(.success(try host.config()))
    let status = await withCheckedContinuation { continuation in
      config.fetch { status, _ in continuation.resume(returning: status) }
    }
    #expect(status == .success)
  }
}
