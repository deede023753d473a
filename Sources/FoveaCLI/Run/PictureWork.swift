// SPDX-License-Identifier: Apache-2.0

import Fovea

/// Everything that is done for one picture, from its bytes to its record.
struct PictureWork: Sendable {
  /// The most bytes that a picture from a pipe may have.
  var byteLimit = 512 << 20
  /// Whether boxes are wanted in pixels of the upright picture.
  var isUpright = false
  var annotation: AnnotationPlan?

  func record(of picture: InputPicture, by analyzer: any ImageAnalyzer, stop: StopSignal) async -> Record {
    do throws(FoveaError) {
      let source = try picture.load(limit: byteLimit, stop: stop)
      let findings = try await analyzer.findings(in: source)
      try findings.checkNumbers()
      try annotation?.annotate(source, of: picture, with: findings)
      return Record(image: picture.name, result: .success(isUpright ? findings.upright() : findings))
    } catch {
      return Record(image: picture.name, result: .failure(error))
    }
  }
}
