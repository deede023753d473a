// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// Values from one task to another.
@Suite struct HandoverTests {
  @Test func `each value is taken once, in order`() async {
    let handover = Handover<Int>()
    let giver = Task {
      for number in 0..<1000 { await handover.give(number) }
      handover.finish()
    }
    var taken: [Int] = []
    while let number = await handover.take() { taken.append(number) }
    #expect(taken == Array(0..<1000))
    await giver.value
  }

  @Test func `whoever gives waits until the value is taken`() async {
    let handover = Handover<Int>()
    let giver = Task { await handover.give(1) }
    #expect(await handover.take() == 1)
    #expect(await giver.value)
  }

  @Test func `the end lets everybody go, and a value that was left is still given out`() async {
    let handover = Handover<Int>()
    let giver = Task { await handover.give(7) }
    // The giver may not be there yet: then the value is gone, and it is told so.
    while handover.takerCount == 0, !giver.isCancelled {
      handover.finish()
      break
    }
    #expect(await !giver.value)
    #expect(await [7, nil].contains(handover.take()))
    #expect(await handover.take() == nil)
    #expect(await !handover.give(8))
    #expect(await handover.take() == nil)
  }

  @Test func `a cancelled taker gets nothing, and the value stays for others`() async {
    let handover = Handover<Int>()
    let waiting = Task { await handover.take() }
    while handover.takerCount == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(handover.takerCount == 0)

    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return await handover.take()
    }
    cancelled.cancel()
    let giver = Task { await handover.give(3) }
    #expect(await cancelled.value == nil)
    #expect(await handover.take() == 3)
    #expect(await giver.value)
  }

  @Test func `of two who wait each gets one value, the first one first`() async {
    let handover = Handover<Int>()
    let first = Task { await handover.take() }
    while handover.takerCount < 1 { await Task.yield() }
    let second = Task { await handover.take() }
    while handover.takerCount < 2 { await Task.yield() }
    await handover.give(1)
    await handover.give(2)
    #expect(await first.value == 1)
    #expect(await second.value == 2)
    let third = Task { await handover.take() }
    while handover.takerCount < 1 { await Task.yield() }
    handover.finish()
    #expect(await third.value == nil)
  }

  @Test func `takers that come and are cancelled at the same time never lose a value`() async {
    let handover = Handover<Int>()
    var got = 0
    for number in 0..<500 {
      let taker = Task { await handover.take() }
      let giver = Task { await handover.give(number) }
      taker.cancel()
      if let value = await taker.value {
        #expect(value == number)
        got += 1
      } else {
        #expect(await handover.take() == number)
      }
      #expect(await giver.value)
    }
    #expect(got <= 500)
  }
}
