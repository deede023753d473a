// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// The rules of custom options, of calls between subgraphs and of signatures.
@Suite struct GraphOptionTests {
  private static let name = "operator 3, TFLite_Detection_PostProcess,"

  static let rules = [
    GraphRule("a sound detector") { $0.appendPostProcess() },
    GraphRule("no detections", "\(name) has max_detections 0, expected 1…100000") {
      $0.appendPostProcess(["max_detections": 0])
    },
    GraphRule("detections without end", "\(name) has max_detections 2147483647, expected 1…100000") {
      $0.appendPostProcess(["max_detections": 0x7fff_ffff])
    },
    GraphRule("a negative number of classes", "\(name) has num_classes -1, expected 1…100000") {
      $0.appendPostProcess(["num_classes": -1])
    },
    GraphRule("many detections of many classes", "\(name) would output 1000 · 1000 boxes") {
      $0.appendPostProcess(["max_detections": 1000, "max_classes_per_detection": 1000])
    },
    GraphRule("classes that the scores do not have", "\(name) has 5 classes, but the scores are of 4") {
      $0.appendPostProcess(["num_classes": 5])
    },
    GraphRule(
      "fewer anchors than boxes",
      "\(name) has boxes [1, 10, 4], scores [1, 10, 4] and anchors [9, 4], expected [1, A, 4], [1, A, C] and [A, 4]"
    ) { $0.appendPostProcess(anchors: [9, 4]) },
    GraphRule(
      "seen: options that cannot be read",
      "the options of operator 3, TFLite_Detection_PostProcess, are not a table of numbers (3 bytes)"
    ) {
      $0.appendPostProcess()
      $0.graphs[0].operators[3].custom = [1, 2, 3]
    },
    GraphRule(
      "seen: a list of keys that says it is longer",
      "the options of operator 3, TFLite_Detection_PostProcess, are not a table of numbers (61 bytes)"
    ) {
      $0.appendPostProcess()
      var options = FlexMapBytes.map(["a": 1])
      options[2] = 200
      $0.graphs[0].operators[3].custom = options
    },
    GraphRule(
      "keys out of order",
      "the options of operator 3, TFLite_Detection_PostProcess, are not a table of numbers (80 bytes)"
    ) {
      $0.appendPostProcess()
      $0.graphs[0].operators[3].custom = FlexMapBytes.map(["a": 1, "b": 2], isSorted: false)
    },
    GraphRule("another operator's options are its own") {
      $0.customName = "Own"
      $0.appendPostProcess()
      $0.graphs[0].operators[3].custom = [1, 2, 3]
    },
    GraphRule("a long name of an operator") {
      $0.customName = String(repeating: "n", count: 1024)
      $0.appendPostProcess()
    },
    GraphRule(
      "a name of an operator beyond all bounds",
      "the name of a custom operator is 1025 bytes long; expected at most 1024"
    ) {
      $0.customName = String(repeating: "n", count: 1025)
      $0.appendPostProcess()
    },
    GraphRule("a loop over another graph") {
      $0.graphs.append($0.graphs[0])
      $0.graphs[0].operators.append(.init(code: 119, inputs: [0], outputs: [], options: [0: 1, 1: 1]))
    },
    GraphRule("a loop over itself", "subgraph 0 calls subgraph 0, which calls it again") {
      $0.graphs[0].operators.append(.init(code: 119, inputs: [0], outputs: [], options: [0: 0, 1: 0]))
    },
    GraphRule("a loop without options", "subgraph 0 calls subgraph 0, which calls it again") {
      $0.graphs[0].operators.append(.init(code: 119, inputs: [0], outputs: []))
    },
    GraphRule("a cycle of graphs", "subgraph 1 calls subgraph 0, which calls it again") {
      $0.graphs.append($0.graphs[0])
      $0.graphs[0].operators.append(.init(code: 129, inputs: [], outputs: [], options: [0: 1]))
      $0.graphs[1].operators.append(.init(code: 206, inputs: [0], outputs: [], newOptions: [1: 0]))
    },
    GraphRule("a missing graph", "subgraph 0 calls subgraph 7, but the model has 1") {
      $0.graphs[0].operators.append(.init(code: 118, inputs: [0], outputs: [], options: [0: 7, 1: 0]))
    },
    GraphRule("a signature") { $0.signatures = [.init(inputs: [0])] },
    GraphRule("a signature of no graph", "a signature is for subgraph 1, but the model has 1") {
      $0.signatures = [.init(graph: 1, inputs: [0])]
    },
    GraphRule("a signature of no tensor", "a signature uses tensor 6, but the model has 6 tensors") {
      $0.signatures = [.init(inputs: [6])]
    },
  ]

  @Test(arguments: rules) func `rules of options, calls and signatures`(_ rule: GraphRule) {
    #expect(rule.failure()?.message == rule.message)
  }
}
