// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct ActivationRecorderTests {
  @Test func `activations are divided by their size, empty ones included`() throws {
    var model = TestModel.floatClassifier()
    let large = Int32(ActivationRecorder.mostBytes / 4)
    let shapes: [TestModel.Tensor] = [[0, 4], [1, 4], [large], [large - 4], [2], [4]]
    let first = model.graphs[0].tensors.count
    model.graphs[0].tensors += shapes
    let graph = try FloatGraph(model.bytes())
    let batches = ActivationRecorder.batches(Array(first..<first + shapes.count), of: graph)
    #expect(batches.map { $0.map { $0 - first } } == [[0, 1], [2], [3, 4], [5]])
    #expect(ActivationRecorder.batches([], of: graph).isEmpty)
  }
}
