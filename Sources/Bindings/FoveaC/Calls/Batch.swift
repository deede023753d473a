// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The images of one call; each thread processes one at a time.
final class Batch: @unchecked Sendable {
  // SAFETY: mutable state changes only inside the gate.
  private let gate = Gate()
  private var next = 0
  private var done = 0
  private var found: [Result<BlockingFindings, FoveaError>?]

  private let analyzer: BlockingAnalyzer
  private let images: ImageList
  private let call: CallArgument

  /// The longest time between two progress reports, in milliseconds.
  private static let reportInterval = 100

  init(_ analyzer: BlockingAnalyzer, _ images: ImageList, _ call: CallArgument) {
    self.analyzer = analyzer
    self.images = images
    self.call = call
    found = Array(repeating: nil, count: images.count)
  }

  /// Processes all images.
  /// - Returns: The findings or the error of each image, in order.
  func run() -> [Result<BlockingFindings, FoveaError>] {
    let count = min(call.threads, images.count, analyzer.sessions)
    let threads = PlainThreads(count > 1 ? count : 0) { [self] in while step() {} }
    if threads.count == 0 {
      while step() { call.report(done, of: images.count) }
    } else {
      wait()
    }
    threads.join()
    return found.map { $0 ?? .failure(.cancelled) }
  }

  /// Processes the next image.
  /// - Returns: Whether there was one.
  private func step() -> Bool {
    let index = gate.locked {
      next += 1
      return next - 1
    }
    guard index < images.count else { return false }
    let result = Result { () throws(FoveaError) in try process(index) }
    gate.locked {
      found[index] = result
      done += 1
      gate.wakeAll()
    }
    return true
  }

  /// Reports the progress to the caller until all images are done.
  private func wait() {
    var reported = 0
    while reported < images.count {
      let now = gate.locked {
        if done == reported { gate.wait(milliseconds: Self.reportInterval) }
        return done
      }
      call.report(now, of: images.count)
      reported = now
    }
  }

  private func process(_ index: Int) throws(FoveaError) -> BlockingFindings {
    guard !call.token.isCancelled else { throw .cancelled }
    let image = try images[index]
    do {
      return try image.withInput { input in
        guard let (stream, seconds) = call.stream else {
          return try analyzer.analyze(input, region: image.region, cancelledBy: call.token)
        }
        return try stream.next(at: seconds) { (memory) throws(FoveaError) in
          try analyzer.analyze(input, region: image.region, memory: &memory, cancelledBy: call.token)
        }
      }
    } catch {
      throw FoveaError(error)
    }
  }
}
