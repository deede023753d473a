// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// Values from one task to another.
@Suite struct RendezvousChannelTests {
  @Test func `each value is taken once, in order`() async {
    let channel = RendezvousChannel<Int>()
    let giver = Task {
      for number in 0..<1000 { await channel.give(number) }
      channel.finish()
    }
    var taken: [Int] = []
    while let number = await channel.take() { taken.append(number) }
    #expect(taken == Array(0..<1000))
    await giver.value
  }

  @Test func `a producer waits until its value is taken`() async {
    let channel = RendezvousChannel<Int>()
    let giver = Task { await channel.give(1) }
    #expect(await channel.take() == 1)
    #expect(await giver.value)
  }

  @Test func `the end releases everybody, and a remaining value is still returned`() async {
    let channel = RendezvousChannel<Int>()
    let giver = Task { await channel.give(7) }
    // The producer may not have arrived yet: then the value is lost, and it is told so.
    while channel.takerCount == 0, !giver.isCancelled {
      channel.finish()
      break
    }
    #expect(await !giver.value)
    #expect(await [7, nil].contains(channel.take()))
    #expect(await channel.take() == nil)
    #expect(await !channel.give(8))
    #expect(await channel.take() == nil)
  }

  @Test func `a cancelled consumer gets nothing, and the value stays for others`() async {
    let channel = RendezvousChannel<Int>()
    let waiting = Task { await channel.take() }
    while channel.takerCount == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(channel.takerCount == 0)

    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return await channel.take()
    }
    cancelled.cancel()
    let giver = Task { await channel.give(3) }
    #expect(await cancelled.value == nil)
    #expect(await channel.take() == 3)
    #expect(await giver.value)
  }

  @Test func `each of two consumers gets one value, the first one first`() async {
    let channel = RendezvousChannel<Int>()
    let first = Task { await channel.take() }
    while channel.takerCount < 1 { await Task.yield() }
    let second = Task { await channel.take() }
    while channel.takerCount < 2 { await Task.yield() }
    await channel.give(1)
    await channel.give(2)
    #expect(await first.value == 1)
    #expect(await second.value == 2)
    let third = Task { await channel.take() }
    while channel.takerCount < 1 { await Task.yield() }
    channel.finish()
    #expect(await third.value == nil)
  }

  @Test func `consumers that arrive and are cancelled at the same time never lose a value`() async {
    let channel = RendezvousChannel<Int>()
    var got = 0
    for number in 0..<500 {
      let taker = Task { await channel.take() }
      let giver = Task { await channel.give(number) }
      taker.cancel()
      if let value = await taker.value {
        #expect(value == number)
        got += 1
      } else {
        #expect(await channel.take() == number)
      }
      #expect(await giver.value)
    }
    #expect(got <= 500)
  }
}
