// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaRuntime
import FoveaTesting
import Testing

@testable import FoveaTraining

/// A damaged float model, quantised and compared: an error with a reason and a remedy, or a result; never a
/// crash, more than 5 s or more than 1 GiB.
@Suite(.serialized) struct QuantizationFuzzTests {
  @Test func `a damaged model is refused or gives a result, and does no harm`() async throws {
    var report = try FuzzReport("quantization", runs: 200)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [batch = batch as FuzzBatch] in
        await QuantizationFuzz.run(batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}

/// Damaged models as both commands use them.
enum QuantizationFuzz {
  /// Runs a batch in this process and prints the outcomes.
  static func run(_ batch: FuzzBatch) async {
    do {
      let sound = TestModel.floatClassifier().bytes()
      let sites = try ModelSites(sound)
      let first = try await ComparedModel(source(sound))
      await batch.run("quantization") { seed in
        let parts = ModelSites.Part.allCases.filter { $0 != .metadata && $0 != .archive }
        var mutator = ModelMutator(seed: seed, parts: parts)
        let bytes = mutator.mutated(sound, sites)
        if let folder = FuzzBatch.keep {
          try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/quantization-\(seed).tflite"))
        }
        let damaged = source(bytes)
        let outcome = try await quantized(damaged)
        return try await outcome + "/" + compared(first, damaged)
      }
    } catch {
      print("failed \(error)")
    }
  }

  private static func source(_ bytes: [UInt8]) -> ModelSource {
    .memory(ModelBytes(bytes, name: "damaged.tflite"))
  }

  private static func quantized(_ model: ModelSource) async throws -> String {
    do throws(FoveaError) {
      _ = try ModelLayers(model)
      for form in SmallerWeights.Form.allCases { _ = try SmallerWeights(model, as: form) }
      var options = Quantizer.Options.quick
      options.leastAgreement = 0
      let photos = QuantizerTests.photos(2)
      _ = try await Quantizer(model, photos: photos, options: options).run(outputName: "int8.tflite")
      return "ok"
    } catch {
      return try code(error)
    }
  }

  private static func compared(_ first: ComparedModel, _ model: ModelSource) async throws -> String {
    do throws(FoveaError) {
      var comparison = try ModelComparison(first, try await ComparedModel(model))
      comparison.timer = Quantizer.Options.quick.timer
      _ = try await comparison.run(QuantizerTests.photos(ofGreys: [60]))
      return "ok"
    } catch {
      return try code(error)
    }
  }

  /// Returns the code of an error, which must name the problem and the remedy.
  private static func code(_ error: FoveaError) throws -> String {
    guard !error.message.isEmpty, !error.remedy.description.isEmpty, error.code.rawValue != "unexpected"
    else { throw FuzzFailure("an error without reason or remedy: \(error)") }
    return error.code.rawValue
  }
}
