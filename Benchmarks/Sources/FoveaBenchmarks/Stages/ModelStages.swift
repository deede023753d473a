// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaRuntime

/// Running the model, and the whole path from a file to objects.
enum ModelStages {
  /// `fixture` is a YOLO with quantised output.
  static func all(model path: String, photo: String, fixture: String) async throws -> [Benchmark] {
    let session = try Session(model: try Model(path: path), options: SessionOptions(threads: 1))
    try session.run()
    var scores: [Float] = []
    var list = [
      Benchmark("inference localizer") { try session.run() },
      Benchmark("read outputs localizer") {
        for index in session.outputs.indices { try session.readNumbers(output: index, into: &scores) }
      },
    ]
    list.append(try quantizedOutputs(fixture))
    for count in Benchmark.boxCounts {
      var options = ObjectDetector.Options()
      options.threshold = 0
      options.maxObjects = count
      options.classifier = .none
      options.threads = 1
      options.sessions = 1
      let detector = try await ObjectDetector(model: .embedded(.localizer), options: options)
      let input = ImageInput.file(photo)
      list.append(
        Benchmark(
          "end to end localizer", boxes: count, concurrent: { _ = try await detector.detect(in: input) }))
      let prepared = try await detector.prepare(input)
      list.append(
        Benchmark(
          "end to end, decoded before", boxes: count,
          concurrent: { _ = try await detector.detect(in: .prepared(prepared)) }))
    }
    return list
  }

  private static func quantizedOutputs(_ path: String) throws -> Benchmark {
    let session = try Session(model: try Model(path: path), options: SessionOptions(threads: 1))
    try session.run()
    var numbers: [Float] = []
    return Benchmark("read outputs \(session.outputs[0].elementCount ?? 0) int8") {
      try session.readNumbers(output: 0, into: &numbers)
    }
  }
}
