// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Models with quirks found in practice: generated ones, and collected ones if the shared data exist.
package enum WildModels {
  /// All of them, the smallest first.
  package static func all() throws -> [[UInt8]] {
    var models = signatures() + filters() + [RefusedConvolution.model(), SparseParameters.model()]
    var detector = TestModel.sound()
    detector.appendPostProcess()
    models.append(detector)
    var files = models.map { $0.bytes() }
    guard SharedData.isPresent else { return files }
    for name in try FileManager.default.contentsOfDirectory(atPath: SharedData.path("wild-models")).sorted()
    where name.hasSuffix(".tflite") {
      files.append(
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.path("wild-models/" + name)))))
    }
    return files
  }

  /// Signatures that fit, that name other tensors, that omit some, and several of them.
  private static func signatures() -> [TestModel] {
    let fitting = TestModel.Signature("a", inputs: [0], outputs: [5])
    let lists: [[TestModel.Signature]] = [
      [.init("fits", inputs: [0], outputs: [5])], [.init("wrong", inputs: [3], outputs: [4])],
      [.init("none", inputs: [0])], [fitting, .init("b", inputs: [1], outputs: [5]), fitting],
    ]
    return lists.map { list in
      var model = TestModel.runnable()
      model.signatures = list
      return model
    }
  }

  /// Filters with one scale, with one per channel, and for a single channel.
  private static func filters() -> [TestModel] {
    HybridFilter.Kind.allCases.flatMap { kind in
      let channel: UInt32 = kind == .depthwise ? 3 : 0
      return [
        HybridFilter(kind, scales: [0.01], dimension: 0).model(),
        HybridFilter(kind, scales: [Float](repeating: 0.01, count: 16), dimension: channel).model(),
      ]
    }
  }
}
