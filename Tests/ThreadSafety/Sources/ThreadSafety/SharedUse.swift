// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tasks that share one worker, each with images in its own order, compared with the worker's results for one
/// task.
///
/// Next to them another task repeatedly starts calls and cancels them, both waiting and running.
struct SharedUse {
  var tasks: Int
  /// The number of images that `tasks` process together.
  var images: Int

  func check<Worker: SharedWorker>(_ worker: Worker, on samples: [SampleImage]) async throws {
    var answers: [Worker.Answer] = []
    for sample in samples { answers.append(try await worker.answer(for: sample)) }
    let different = Set(answers).count
    guard different > 1 else {
      throw Failure(
        "\(worker.name): \(samples.count) images have the same answer, so nothing is compared.")
    }
    let serial = Serial(worker: worker, samples: samples, answers: answers)

    let clock = ContinuousClock()
    let began = clock.now
    let isDone = Flag()
    async let givenUp = giveUp(serial, until: isDone)
    let wrong: [String]
    do {
      wrong = try await ask(serial)
      isDone.value.store(true, ordering: .relaxed)
    } catch {
      isDone.value.store(true, ordering: .relaxed)
      throw error
    }
    let cancelled = try await givenUp
    let all = wrong + cancelled.wrong
    guard all.isEmpty else {
      throw Failure(
        "\(worker.name): \(all.count) answers differ from the serial ones:\n"
          + all.prefix(10).joined(separator: "\n"))
    }
    print(
      "\(worker.name): \(tasks) tasks, \(images) images from \(samples.count), with \(different) different"
        + " answers, all equal to the serial ones; \(cancelled.count) further calls cancelled"
        + " (\((clock.now - began).components.seconds) s)")
  }

  /// - Returns: The results that differ from the serial ones.
  private func ask<Worker>(_ serial: Serial<Worker>) async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var wrong: [String] = []
          for image in stride(from: task, to: images, by: tasks) {
            let index = (image * 7 + task * 3) % serial.samples.count
            let answer = try await serial.worker.answer(for: serial.samples[index])
            if answer != serial.answers[index] {
              wrong.append("task \(task), image \(image): \(serial.samples[index].name)")
            }
          }
          return wrong
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// - Returns: The number of calls that ended with the cancellation error, and the results that differ from
  /// the serial ones.
  private func giveUp<Worker>(
    _ serial: Serial<Worker>, until isDone: Flag
  ) async throws -> (count: Int, wrong: [String]) {
    var result: (count: Int, wrong: [String]) = (0, [])
    var call = 0
    while !isDone.value.load(ordering: .relaxed) {
      let index = call % serial.samples.count
      let answer = Task { try await serial.worker.answer(for: serial.samples[index]) }
      // From at once to after a while of running.
      try await Task.sleep(for: .milliseconds(call % 5 * 10))
      answer.cancel()
      switch await answer.result {
      case .success(let answer):
        if answer != serial.answers[index] {
          result.wrong.append("call given up: \(serial.samples[index].name)")
        }
      case .failure(let error):
        guard serial.worker.isCancellation(error) else { throw error }
        result.count += 1
      }
      call += 1
      try await Task.sleep(for: .milliseconds(30))
    }
    return result
  }
}

/// The worker's results without concurrent callers.
private struct Serial<Worker: SharedWorker>: Sendable {
  let worker: Worker
  let samples: [SampleImage]
  let answers: [Worker.Answer]
}

private final class Flag: Sendable {
  let value = Atomic(false)
}
