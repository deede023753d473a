// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@testable import FoveaInference

@Suite struct CallStateTests {
  @Test func `calls change a value in turn, without a copy of its memory`() async throws {
    let state = CallState([Int](repeating: 0, count: 1_000))
    var places: Set<UInt> = []
    for number in 0..<5 {
      places.insert(
        try await state.change { numbers in
          numbers[number] = number + 1
          return unsafe numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        })
    }
    #expect(places.count == 1)
    #expect(state.withValue { Array($0.prefix(6)) } == [1, 2, 3, 4, 5, 0])
  }

  @Test func `a call is refused while an earlier one has the value`() async throws {
    let state = CallState(1)
    try await state.change { number in
      let error = await #expect(throws: Refusal.self) { try await state.change { $0 = 9 } }
      #expect(error?.code == "share-used")
      #expect(state.withValue { $0 = 9 } == nil)
      number += 1
    }
    #expect(state.withValue { $0 } == 2)
  }

  @Test func `a change waits for the call that has the value, even in a cancelled task`() async throws {
    let state = CallState(1)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let call = Task {
      try await state.change { number in
        for await _ in gate { break }
        number += 1
      }
    }
    while state.withValue({ $0 }) != nil { await Task.yield() }
    #expect(await state.withValue(within: .zero) { $0 } == nil)
    let change = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await state.withValue(within: .seconds(60)) { number in
        number *= 10
        return number
      }
    }
    open.yield()
    #expect(await change.value == 20)
    try await call.value
  }

  @Test func `a call that fails keeps its changes`() async throws {
    let state = CallState(1)
    await #expect(throws: CancellationError.self) {
      try await state.change { number in
        number += 1
        throw CancellationError()
      }
    }
    #expect(state.withValue { $0 += 1 } != nil)
    #expect(try await state.change { $0 } == 3)
  }
}
#endif
