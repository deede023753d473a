// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCompatibility

/// Where completions go, with a queue in the place of the main queue that the test holds up or lets go.
@Suite(.onOwnThread) struct CallbackDeliveryTests {
  /// The queue in the main queue's place, and what was called on it.
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

    /// Waits until so many more were called.
    func wait(_ count: Int) -> Bool {
      (0..<count).allSatisfy { _ in called.wait(timeout: .now() + 60) == .success }
    }
    var numbers: [Int] { calls.withLock { $0.map(\.number) } }
    var mainNumbers: [Int] { calls.withLock { $0.filter(\.isMain).map(\.number) } }
  }

  @Test("On a queue that runs, all are called there, in order")
  func alive() {
    let place = Place()
    let delivery = CallbackDelivery(main: place.main, grace: .seconds(60))
    for number in 0..<100 { delivery.deliver(on: nil) { place.note(number) } }
    #expect(place.wait(100))
    #expect(place.mainNumbers == Array(0..<100))
  }

  @Test("On a queue that stands still, all are called elsewhere, in order")
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

  @Test("From the first sign of life on, all are called on the main queue, each once")
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

  @Test("What waits while a completion is called elsewhere is called on a main queue that wakes up meanwhile")
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

  @Test("A completion may ask for another one")
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

  @Test("A queue that is named is used")
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
