// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Each frame of a source with its objects.
@Suite struct TrackedFramesTests {
  private static let detector = FrameDetector { frame throws(FoveaError) in
    Scripted.result([Scripted.object(Scripted.box(2, 2, 8, 8))], in: frame)
  }

  private func track(
    _ source: any FrameSource, _ detector: FrameDetector = detector
  ) -> TrackedFrames {
    TrackedFrames(source: source, detector: detector, options: .stream())
  }

  @Test func `each frame is returned once and in order`() async throws {
    let source = FrameArray(try (1...50).map { try Scripted.smallFrame($0) })
    var numbers: [Int] = []
    for try await tracked in track(source) {
      numbers.append(tracked.frame.number)
      #expect(tracked.objects.map(\.trackingID) == [0])
      #expect(tracked.isDetected)
    }
    #expect(numbers == Array(1...50))
  }

  @Test func `a source without frames ends at once, also the second time`() async throws {
    var iterator = track(FrameArray([])).makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `a source that fails midway returns its frames first, then the error, then nothing`() async {
    let source = ScriptedSource([.frame, .frame, .failure("Torn"), .frame])
    var iterator = track(source).makeAsyncIterator()
    var outcomes: [String] = []
    for _ in 0..<5 {
      do throws(FoveaError) {
        outcomes.append(try await iterator.next().map { "\($0.frame.number)" } ?? "end")
      } catch {
        outcomes.append("\(error)")
      }
    }
    #expect(outcomes == ["1", "2", "Torn. Wait.", "end", "end"])
  }

  @Test func `a source that cannot be opened reports why`() async {
    let source = ScriptedSource(
      [], refusal: FoveaError(.unexpected, "Locked", remedy: "Unlock it"))
    var iterator = track(source).makeAsyncIterator()
    let error = await #expect(throws: FoveaError.self) { try await iterator.next() }
    #expect(error?.description == "Locked. Unlock it.")
  }

  @Test func `a detector that fails ends the frames, names the frame and closes the source`() async throws {
    let source = ScriptedSource([.frame, .frame, .wait])
    var iterator = track(
      source,
      FrameDetector { frame throws(FoveaError) in
        if frame.number == 2 { throw FoveaError(.unexpected, "No", remedy: "Wait") }
        return Scripted.result([], in: frame)
      }
    ).makeAsyncIterator()
    #expect(try await iterator.next()?.frame.number == 1)
    let error = await #expect(throws: FoveaError.self) { try await iterator.next() }
    #expect(error?.description == "frame 2: No. Wait.")
    #expect(source.readers.map(\.isCancelled) == [true])
    #expect(try await iterator.next() == nil)
  }

  @Test func `an iterator that is dropped midway closes its source`() async throws {
    let source = ScriptedSource([.frame, .frame, .wait])
    var ahead: FramesAhead? = FramesAhead(source)
    #expect(try await ahead?.next()?.number == 1)
    let work = try #require(ahead?.work)
    ahead = nil
    await work.value
    #expect(source.readers.map(\.isCancelled) == [true])
  }

  @Test func `a task waiting for a silent source can be cancelled`() async throws {
    let source = ScriptedSource([.frame, .wait])
    let frames = track(source)
    let gate = Gate()
    let reader = Task {
      var count = 0
      for try await _ in frames {
        count += 1
        await gate.arrive()
      }
      return count
    }
    _ = await gate.arrival()
    await gate.open()
    reader.cancel()
    #expect(try await reader.value == 1)
    #expect(source.readers.map(\.isCancelled) == [true])
  }

  @Test func `a task waiting for a source to open can be cancelled`() async throws {
    let source = ScriptedSource([.frame], waitsToOpen: true)
    let ahead = FramesAhead(source)
    let reader = Task { try await ahead.next() }
    reader.cancel()
    #expect(try await reader.value == nil)
    source.release()
    await ahead.work.value
    #expect(source.readers.map(\.isCancelled) == [true])
  }

  @Test func `no more than two frames are read ahead of the consumer`() async throws {
    let source = ScriptedSource([ScriptedSource.Step](repeating: .frame, count: 100))
    let ahead = FramesAhead(source)
    for number in 1...10 {
      #expect(try await ahead.next()?.number == number)
      let asked = source.readers.first?.asked ?? 0
      #expect(asked >= number)
      #expect(asked <= number + 2)
    }
  }

  @Test(arguments: [nil, 0, -1, Double.nan, .infinity, 90_000, 25])
  func `a source with an absurd rate is followed all the same`(_ rate: Double?) async throws {
    let source = ScriptedSource([.frame, .frame], frameRate: rate)
    var count = 0
    for try await _ in track(source) { count += 1 }
    #expect(count == 2)
  }

  @Test func `two iterators open their own sources`() async throws {
    let source = ScriptedSource([.frame, .frame])
    let frames = track(source)
    var first = frames.makeAsyncIterator()
    var second = frames.makeAsyncIterator()
    #expect(try await first.next()?.frame.number == 1)
    #expect(try await second.next()?.frame.number == 1)
    #expect(try await first.next()?.frame.number == 2)
    #expect(first.state.expectedFrames == 2)
    #expect(source.readers.count == 2)
  }
}
