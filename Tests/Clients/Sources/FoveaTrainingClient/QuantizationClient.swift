// SPDX-License-Identifier: Apache-2.0

import FoveaTraining

/// Returns the int8 model of a float model, if it has at least nine tenths of its accuracy.
func quantized(
  _ path: String, _ photos: [String], _ groundTruth: String
) async throws(FoveaError) -> [UInt8]? {
  var options = Quantizer.Options()
  options.groundTruth = groundTruth
  options.model.threads = 2
  let made = try await Quantizer(.file(path), photos: photos.map { .file($0) }, options: options).run()
  guard let accuracy = made.comparison.accuracy, let first = accuracy.first, let second = accuracy.second
  else { return nil }
  return second >= 0.9 * first ? made.bytes : nil
}
