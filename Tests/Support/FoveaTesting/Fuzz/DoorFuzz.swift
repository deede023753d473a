// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Damaged models for one entry point of the runtime: damages one of the small or wild models by a seed and
/// passes it to `use`.
package enum DoorFuzz {
  /// Runs a batch in this process and prints the outcomes.
  /// - Parameters:
  ///   - name: The name in failures.
  ///   - batch: The seeds.
  ///   - use: Uses a model like a user, and returns the outcome in one word.
  package static func run(_ name: String, _ batch: FuzzBatch, _ use: ([UInt8]) throws -> String) async {
    do {
      let corpus = try WildModels.all().filter { $0.count < 1 << 20 } + small()
      let sites = corpus.map { model in Result { try ModelSites(model) } }
      await batch.run(name) { seed in
        let parts = ModelSites.Part.allCases.filter { $0 != .metadata && $0 != .archive }
        var mutator = ModelMutator(seed: seed, parts: parts)
        let index = mutator.below(corpus.count)
        let damaged = mutator.mutated(corpus[index], try sites[index].get())
        if let folder = FuzzBatch.keep {
          try Data(damaged).write(to: URL(fileURLWithPath: "\(folder)/\(name)-\(seed).tflite"))
        }
        return try use(damaged)
      }
    } catch {
      print("failed \(error)")
    }
  }

  private static func small() throws -> [[UInt8]] {
    try ["arithmetic", "classifier_uint8", "lstm_ssd", "ssd_postprocess", "yolov8_int8", "yolox"].map {
      name in
      let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }
}
