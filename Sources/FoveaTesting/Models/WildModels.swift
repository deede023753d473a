// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Models with the peculiarities of those that people bring: made in code, and the collected ones where the shared data are.
package enum WildModels {
  /// All of them, the smallest first.
  package static func all() throws -> [[UInt8]] {
    var models = signatures() + filters() + [RefusedConvolution.model(), SparseParameters.model()]
    var detector = GraphModel()
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

  /// Signatures that fit, that name other tensors, that leave some out, and several of them.
  private static func signatures() -> [GraphModel] {
    func signature(_ key: String, _ input: UInt32, _ outputs: [UInt32]) -> GraphModel.Signature {
      var signature = GraphModel.Signature.of(0, input)
      signature.key = key
      signature.outputs = outputs.map { ("output \($0)", $0) }
      return signature
    }
    let lists = [
      [signature("fits", 0, [5])], [signature("wrong", 3, [4])], [signature("none", 0, [])],
      [signature("a", 0, [5]), signature("b", 1, [5]), signature("a", 0, [5])],
    ]
    return lists.map { list in
      var model = GraphModel.runnable()
      model.signatures = list
      return model
    }
  }

  /// Filters with one scale, with one for each channel, and for one channel alone.
  private static func filters() -> [GraphModel] {
    HybridFilter.Kind.allCases.flatMap { kind in
      let channel: UInt32 = kind == .depthwise ? 3 : 0
      return [
        HybridFilter(kind, scales: [0.01], dimension: 0).model(),
        HybridFilter(kind, scales: [Float](repeating: 0.01, count: 16), dimension: channel).model(),
      ]
    }
  }
}
