// SPDX-License-Identifier: Apache-2.0

package import FoveaEvaluation

extension COCOGroundTruth {
  /// Returns the ground truth of only some images, which are found by their paths like those of detections.
  /// - Parameter paths: The paths of the images.
  /// - Returns: The ground truth; nil if it lists none of the images.
  package func subset(of paths: some Sequence<String>) -> COCOGroundTruth? {
    let names = GroundTruthNames(self)
    let listed = Set(paths.compactMap { names.index(of: $0) })
    let kept = listed.sorted().map { images[$0] }
    let ids = Set(kept.map(\.id))
    return try? COCOGroundTruth(
      images: kept, categories: categories, annotations: annotations.filter { ids.contains($0.imageID) },
      name: name)
  }
}

extension COCODetections {
  /// Adds records in memory: images are matched by file name, and categories by the first label's text.
  /// - Parameters:
  ///   - records: The records of distinct images.
  ///   - name: The name of the records' source in errors.
  /// - Throws: `EvaluationError` `invalidDetections`.
  package mutating func add(_ records: [DetectionRecord], name: String) throws(EvaluationError) {
    var reader = DetectionReader(groundTruth)
    for record in records { reader.read(record, name: name, into: &self) }
    try reader.finish(name, into: &self)
  }
}
