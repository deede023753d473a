// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCompatibility

/// The queue of completions, with a replacement for the main queue that the test suspends or resumes.
@Suite(.onOwnThread) struct CallbackDeliveryTests {
  /// The main queue's replacement, and the calls on it.
  final class Place: Sendable {
    let main = DispatchQueue(label: "main")
    private let key = DispatchSpecificKey<Bool>()
    private let calls = Mutex<[(number: Int, isMain: Bool)]>([])
    private let called = DispatchSemaphore(value: 0)

    init() { main.setSpecific(key: key, value: true) }

    func note(_ number: Int) {
      let isMain = DispatchQueue.getSpecific(key: key) == true
      calls.withLock { $0.append((number, isMain)) }
      called.signal()
    }

    /// Waits until this many more were called.
    func wait(_ count: Int) -> Bool {
      (0..<count).allSatisfy { _ in called.wait(timeout: .now() + 60) == .success }
    }
    var numbers: [Int] { calls.withLock { $0.map(\.number) } }
    var mainNumbers: [Int] { calls.withLock { $0.filter(\.isMain).map(\.number) } }
  }

  @Test("On a running queue, all are called there, in order")
  func alive() {
    let place = Place()
    let delivery = CallbackDelivery(main: place.main, grace: .seconds(60))
    for number in 0..<100 { delivery.deliver(on: nil) { place.note(number) } }
    #expect(place.wait(100))
    #expect(place.mainNumbers == Array(0..<100))
  }

  @Test("On a stalled queue, all are called elsewhere, in order")
  func silent() {
    let place = Place()
    place.main.suspend()
    let delivery = CallbackDelivery(main: place.main, grace: .milliseconds(1))
    for number in 0..<100 { delivery.deliver(on: nil) { place.note(number) } }
    #expect(place.wait(100))
    #expect(place.numbers == Array(0..<100))
    #expect(place.mainNumbers.isEmpty)
    place.main.resume()
  }

  @Test("Once the main queue runs, all are called on it, each once")
  func wakingUp() {
    let place = Place()
    place.main.suspend()
    let delivery = CallbackDelivery(main: place.main, grace: .milliseconds(1))
    delivery.deliver(on: nil) { place.note(0) }
    #expect(place.wait(1))
    place.main.resume()
    place.main.sync {}
    for number in 1..<50 { delivery.deliver(on: nil) { place.note(number) } }
    #expect(place.wait(49))
    #expect(place.numbers == Array(0..<50))
    #expect(place.mainNumbers == Array(1..<50))
  }

  @Test("A completion that waits for one called elsewhere is called on a main queue that starts meanwhile")
  func wakingUpInBetween() {
    let place = Place()
    place.main.suspend()
    let delivery = CallbackDelivery(main: place.main, grace: .milliseconds(1))
    let isCalling = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    delivery.deliver(on: nil) {
      isCalling.signal()
      _ = mayEnd.wait(timeout: .now() + 60)
      place.note(0)
    }
    #expect(isCalling.wait(timeout: .now() + 60) == .success)
    for number in 1..<10 { delivery.deliver(on: nil) { place.note(number) } }
    place.main.resume()
    place.main.sync {}
    mayEnd.signal()
    #expect(place.wait(10))
    #expect(place.numbers == Array(0..<10))
    #expect(place.mainNumbers == Array(1..<10))
  }

  @Test("A completion may request another one")
  func nested() {
    let place = Place()
    let delivery = CallbackDelivery(main: place.main)
    delivery.deliver(on: nil) {
      delivery.deliver(on: nil) { place.note(1) }
      place.note(0)
    }
    #expect(place.wait(2))
    #expect(place.numbers == [0, 1])
  }

  @Test("A given queue is used")
  func named() {
    let place = Place()
    let delivery = CallbackDelivery(main: DispatchQueue(label: "other"))
    delivery.deliver(on: place.main) { place.note(0) }
    #expect(place.wait(1))
    #expect(place.mainNumbers == [0])
  }

  @Test("Completions of many threads are called once each, never two at a time")
  func manyThreads() {
    let place = Place()
    let delivery = CallbackDelivery(main: place.main, grace: .milliseconds(1))
    let isCalling = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      if number == 100 { place.main.async {} }
      delivery.deliver(on: nil) {
        let wasCalling = isCalling.exchange(true, ordering: .sequentiallyConsistent)
        place.note(wasCalling ? -1 : number)
        isCalling.store(false, ordering: .sequentiallyConsistent)
      }
    }
    #expect(place.wait(200))
    #expect(place.numbers.sorted() == Array(0..<200))
  }
}
