// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCompatibility

/// Engines of equal requests.
@Suite struct EngineCacheTests {
  struct Request: VisionRequest {
    var number: Int
    var customModel: ModelReference? { nil }
  }

  struct Engine: VisionEngine {
    static let cache = EngineCache<Engine>(limit: 2)
    init(_ request: Request) async throws(MLError) {}
    func find(in image: VisionInput) async throws(MLError) -> [Int] { [] }
    func reset() {}
  }

  @Test("Equal requests share one engine, others have their own")
  func equality() {
    let cache = EngineCache<Engine>(limit: 2)
    let first = cache.queue(for: Request(number: 1), nil)
    #expect(cache.queue(for: Request(number: 1), nil) === first)
    #expect(cache.queue(for: Request(number: 2), nil) !== first)
    #expect(cache.queue(for: Request(number: 1), ModelStamp(path: "/nowhere")) !== first)
  }

  @Test("The most recent unused engines are kept")
  func limit() {
    let cache = EngineCache<Engine>(limit: 2)
    weak let first = cache.queue(for: Request(number: 1), nil)
    #expect(first != nil)
    _ = cache.queue(for: Request(number: 2), nil)
    _ = cache.queue(for: Request(number: 1), nil)
    weak let second = cache.queue(for: Request(number: 2), nil)
    _ = cache.queue(for: Request(number: 1), nil)
    _ = cache.queue(for: Request(number: 3), nil)
    #expect(cache.count == 2)
    #expect(first != nil)
    #expect(second == nil)
  }

  @Test("An engine in use is found again after any number of others")
  func inUse() {
    let cache = EngineCache<Engine>(limit: 2)
    let used = cache.queue(for: Request(number: 0), nil)
    for number in 1..<20 { _ = cache.queue(for: Request(number: number), nil) }
    #expect(cache.queue(for: Request(number: 0), nil) === used)
    #expect(cache.count == 2)
  }
}
