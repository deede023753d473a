// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Sessions with scripted detectors.
@Suite struct FrameSessionTests {
  /// Finds one object whose position shows the number of the frame.
  private static let pointer = FrameDetector { frame throws(FoveaError) in
    Scripted.result([Scripted.object(Scripted.box(Double(frame.number), 100))], in: frame)
  }

  @Test func `while a frame is processed, newer ones replace one another and are counted`() async throws {
    let gate = Gate()
    let session = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        await gate.arrive(frame.number)
        return Scripted.result([Scripted.object(Scripted.box(Double(frame.number), 100))], in: frame)
      })
    var results = session.results.makeAsyncIterator()
    session.submit(try Scripted.frame(1))
    #expect(await gate.arrival() == 1)
    for number in 2...5 { session.submit(try Scripted.frame(number)) }
    await gate.open()
    let first = try #require(await results.next()).get()
    #expect(first.frame.number == 1)
    #expect(first.objects.map(\.trackingID) == [0])
    #expect(await gate.arrival() == 5)
    session.finish()
    session.submit(try Scripted.frame(6))
    await gate.open()
    let second = try #require(await results.next()).get()
    #expect(second.frame.number == 5)
    #expect(second.objects.map(\.trackingID) == [0])
    #expect(abs((second.objects.first?.box.minX ?? 0) - 5) < 2)
    #expect(await results.next() == nil)
    #expect(session.counts.submitted == 5)
    #expect(session.counts.dropped == 3)
  }

  @Test func `a detector that fails on one frame only affects that frame`() async throws {
    let session = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        if frame.number % 3 == 2 {
          throw FoveaError(.unexpected, "No", remedy: "Wait")
        }
        return Scripted.result([Scripted.object(Scripted.box(100, 100))], in: frame)
      })
    var results = session.results.makeAsyncIterator()
    for number in 1...9 {
      session.submit(try Scripted.frame(number))
      switch try #require(await results.next()) {
      case .success(let tracked):
        #expect(number % 3 != 2)
        #expect(tracked.frame.number == number)
        #expect(tracked.objects.map(\.trackingID) == [0])
      case .failure(let error):
        #expect(number % 3 == 2)
        #expect("\(error)" == "frame \(number): No. Wait.")
      }
    }
    session.finish()
    #expect(await results.next() == nil)
  }

  @Test func `a session that ends before its first frame has no results`() async throws {
    let session = try FrameSession(Self.pointer)
    session.finish()
    var results = session.results.makeAsyncIterator()
    #expect(await results.next() == nil)
    #expect(await results.next() == nil)
    session.submit(try Scripted.frame(1))
    #expect(session.counts.submitted == 0)
  }

  @Test func `a reader of results can be cancelled, and another continues`() async throws {
    let session = try FrameSession(Self.pointer)
    let reader = Task { [results = session.results] in
      for await _ in results { Issue.record("There was no frame.") }
    }
    while session.outlet.channel.takerCount == 0 { await Task.yield() }
    reader.cancel()
    await reader.value
    session.submit(try Scripted.frame(1))
    var results = session.results.makeAsyncIterator()
    #expect(try await results.next()?.get().frame.number == 1)
    session.finish()
  }

  @Test func `results can be read after the last reference to the session is gone, then they end`()
    async throws
  {
    var session: FrameSession? = try FrameSession(Self.pointer)
    let results = try #require(session?.results)
    session?.submit(try Scripted.frame(1))
    session = nil
    var numbers: [Int] = []
    for await result in results { numbers.append(try result.get().frame.number) }
    #expect(numbers == [1])
  }

  @Test func `a released session interrupts its detector`() async throws {
    let gate = Gate()
    var session: FrameSession? = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        await gate.arrive(frame.number)
        while !Task.isCancelled { await Task.yield() }
        throw FoveaError(CancellationError())
      })
    session?.submit(try Scripted.frame(1))
    let work = try #require(session?.outlet.work)
    #expect(await gate.arrival() == 1)
    await gate.open()
    session = nil
    await work.value
  }

  @Test(arguments: [false, true])
  func `thousands of sessions that are created and released leave nothing behind`(inBackground: Bool)
    async throws
  {
    var options = FrameSession.Options()
    options.detectsInBackground = inBackground
    var works: [Task<Void, Never>] = []
    var rooms: [WeakRoom] = []
    for number in 0..<2000 {
      let session = try FrameSession(Self.pointer, options: options)
      works.append(session.outlet.work)
      rooms.append(WeakRoom(room: session.newest))
      let frame = try Scripted.smallFrame(1)
      // Some never have a frame, some have frames whose results no one reads, some have one result read.
      if number % 3 > 0 { session.submit(frame) }
      if number % 3 == 2 {
        var results = session.results.makeAsyncIterator()
        _ = await results.next()
        session.submit(frame)
      }
    }
    for work in works { await work.value }
    works = []
    #expect(rooms.allSatisfy { $0.room == nil })
  }

  private struct WeakRoom {
    weak var room: NewestFrame?
  }

  @Test func `two readers share the results`() async throws {
    let session = try FrameSession(Self.pointer)
    let readers = (0..<2).map { _ in
      Task { [results = session.results] in
        var numbers: [Int] = []
        for await result in results { numbers.append(try result.get().frame.number) }
        return numbers
      }
    }
    for number in 1...50 {
      while session.outlet.channel.takerCount < 1 { await Task.yield() }
      session.submit(try Scripted.frame(number))
      await Task.yield()
    }
    session.finish()
    var numbers: [Int] = []
    for reader in readers { numbers += try await reader.value }
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.count + session.counts.dropped == 50)
  }

  @Test func `frames whose size, number and time jump all have a result`() async throws {
    let session = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        Scripted.result([Scripted.object(Scripted.box(10, 10, 20, 20))], in: frame)
      })
    var results = session.results.makeAsyncIterator()
    let sizes = [PixelSize(width: 64, height: 48), PixelSize(width: 48, height: 64)]
    let numbers = [5, 4, 4, .max, .min, 0, -1, 7]
    for (index, number) in numbers.enumerated() {
      var frame = try Scripted.frame(1, size: sizes[index / 4])
      frame.number = number
      frame.seconds = [0, -1, .nan, .infinity, 1e300, -.infinity, 0, 2][index]
      session.submit(frame)
      let tracked = try #require(await results.next()).get()
      #expect(tracked.frame.number == number)
      #expect(tracked.objects.count == 1)
    }
    session.finish()
  }

  @Test func `only the tracker 'fovea' works with a detector in the background`() throws {
    var options = FrameSession.Options()
    options.detectsInBackground = true
    options.tracking.tracker = .sort(.init())
    let error = #expect(throws: FoveaError.self) { try FrameSession(Self.pointer, options: options) }
    #expect(
      error?.description
        == "'detectsInBackground' is on, and the tracker 'sort' needs detections on every frame. "
        + "Use the tracker 'fovea', or turn 'detectsInBackground' off.")
  }
}
