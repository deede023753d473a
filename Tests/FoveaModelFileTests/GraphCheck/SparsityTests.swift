// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Sparse tensors: each rule is broken separately.
///
/// One byte of `face_detection_full_range_sparse.tflite`, an index of 150 in a smaller dimension, ended the
/// process inside LiteRT's DENSIFY.
@Suite struct SparsityTests {
  /// A tensor of [2, 12] without blocks, whose second dimension is sparse.
  static func plain(_ segments: [Int32] = [0, 1, 3], _ indices: [Int32] = [2, 0, 3], width: Int = 1)
    -> GraphRule
  {
    GraphRule("\(indices.count) indices of \(width) bytes", nil) {
      $0.graphs[0].tensors[7].shape = [2, 12]
      $0.graphs[0].tensors[7].sparsity = SparseParameters(
        order: [0, 1], levels: [.dense(2), .sparse(segments: segments, indices: indices, width: width)])
      $0.buffers[4] = [UInt8](repeating: 0, count: 4 * indices.count)
    }
  }

  static func level(_ level: SparseParameters.Level, _ place: Int, _ id: String, _ message: String?)
    -> GraphRule
  {
    GraphRule(id, message) { $0.graphs[0].tensors[7].sparsity?.levels[place] = level }
  }

  static func lists(_ segments: [Int32], _ indices: [Int32], _ id: String, _ message: String?) -> GraphRule {
    level(.sparse(segments: segments, indices: indices, width: 4), 1, id, message)
  }

  static let cases: [GraphRule] = [
    GraphRule("blocks", nil) { _ in },
    plain(), plain(width: 4),
    GraphRule("nothing stored", "operator 3 reads tensor 7, which no earlier operator writes") {
      plain([0, 0, 0], []).change(&$0)
    },
    GraphRule("a closed side of 0", "tensor 7 is sparse and has a side of 0") {
      $0.graphs[0].tensors[7].shape[0] = 0
    },
    GraphRule("an open side", "tensor 7 is sparse and has a side of -1") {
      $0.graphs[0].tensors[7].shape[0] = -1
    },
    GraphRule("too many levels", "tensor 7 has 17 sparse levels; at most 16 are allowed") {
      $0.graphs[0].tensors[7].shape = [Int32](repeating: 1, count: 16)
    },
    GraphRule(
      "a level that is not described",
      "tensor 7 traverses 3 levels and describes 2; its 2 dimensions and 1 blocks need 3"
    ) { $0.graphs[0].tensors[7].sparsity?.levels.removeLast() },
    GraphRule(
      "a level that is not traversed",
      "tensor 7 traverses 2 levels and describes 3; its 2 dimensions and 1 blocks need 3"
    ) { $0.graphs[0].tensors[7].sparsity?.order.removeLast() },
    GraphRule(
      "a block that is not listed",
      "tensor 7 traverses 3 levels and describes 3; its 2 dimensions and 0 blocks need 2"
    ) { $0.graphs[0].tensors[7].sparsity?.blocks = [] },
    GraphRule(
      "a dimension twice",
      "tensor 7 traverses its levels in the order [0, 0, 2];"
        + " expected its 2 dimensions, then its 1 blocks, each once"
    ) { $0.graphs[0].tensors[7].sparsity?.order = [0, 0, 2] },
    GraphRule(
      "a block before the dimensions",
      "tensor 7 traverses its levels in the order [2, 1, 0];"
        + " expected its 2 dimensions, then its 1 blocks, each once"
    ) { $0.graphs[0].tensors[7].sparsity?.order = [2, 1, 0] },
    GraphRule(
      "a level that is not there",
      "tensor 7 traverses its levels in the order [0, 1, -2147483648];"
        + " expected its 2 dimensions, then its 1 blocks, each once"
    ) { $0.graphs[0].tensors[7].sparsity?.order[2] = .min },
    GraphRule(
      "blocks of no dimension",
      "tensor 7 has blocks along the dimensions [2]; expected ascending ones of 0..<2"
    ) { $0.graphs[0].tensors[7].sparsity?.blocks = [2] },
    GraphRule(
      "blocks of one dimension twice",
      "tensor 7 has blocks along the dimensions [1, 1]; expected ascending ones of 0..<2"
    ) {
      $0.graphs[0].tensors[7].sparsity?.blocks = [1, 1]
      $0.graphs[0].tensors[7].sparsity?.order = [0, 1, 2, 3]
      $0.graphs[0].tensors[7].sparsity?.levels.append(.dense(1))
    },
    level(.dense(5), 2, "blocks that do not fit", "tensor 7 has blocks of 5 along a side of 24"),
    level(.dense(0), 2, "blocks of nothing", "tensor 7 has blocks of 0 along a side of 24"),
    level(.dense(-2), 2, "blocks of less", "tensor 7 has blocks of -2 along a side of 24"),
    level(
      .sparse(segments: [0], indices: []), 2, "blocks that are sparse",
      "tensor 7 has blocks of a sparse level along a side of 24"),
    level(.dense(2), 0, "more places", "level 0 of tensor 7 has 2 places, but its dimension has 1"),
    level(.dense(-1), 0, "fewer places", "level 0 of tensor 7 has -1 places, but its dimension has 1"),
    level(
      .format(2), 1, "no format",
      "level 1 of tensor 7 has the format 2, which is neither dense (0) nor sparse (1)"),
    level(
      .format(1), 1, "no lists",
      "the segments of level 1 of tensor 7 are missing, or numbers of the unknown kind 0"),
    lists(
      [0, 1, 3], [0, 5, 11], "a segment too many",
      "level 1 of tensor 7 bounds its segments by 3 numbers, expected 2"),
    lists([], [], "no segments", "level 1 of tensor 7 bounds its segments by 0 numbers, expected 2"),
    lists([1, 3], [0, 5, 11], "a late begin", "level 1 of tensor 7 begins its segments at 1, expected 0"),
    lists(
      [0, -1], [0, 5, 11], "an end below 0", "level 1 of tensor 7 ends segment 0 at -1, before its start at 0"
    ),
    lists(
      [0, 4], [0, 5, 11], "a late end", "level 1 of tensor 7 ends its segments at 4, but has 3 indices"),
    lists(
      [0, 2], [0, 5, 11], "an early end", "level 1 of tensor 7 ends its segments at 2, but has 3 indices"),
    lists(
      [0, 3], [0, 5, 12], "seen: an index past the end",
      "level 1 of tensor 7 has the index 12, but its dimension has 12 places"),
    lists(
      [0, 3], [0, -1, 5], "an index before the begin",
      "level 1 of tensor 7 has the index -1, but its dimension has 12 places"),
    GraphRule("one number too few", "tensor 7 stores 6 numbers of 4 bytes, but its buffer has 20 bytes") {
      $0.buffers[4].removeLast(4)
    },
    GraphRule("one number too many", "tensor 7 stores 6 numbers of 4 bytes, but its buffer has 28 bytes") {
      $0.buffers[4] += [0, 0, 0, 0]
    },
    GraphRule("no numbers", "tensor 7 stores 6 numbers of 4 bytes, but its buffer has 0 bytes") {
      $0.graphs[0].tensors[7].buffer = 0
    },
    GraphRule(
      "an operator that does not know of it",
      "operator 4 reads tensor 7, which is sparse and was not made dense"
    ) { $0.graphs[0].operators[4].inputs[1] = 7 },
    GraphRule(
      "a sparse bias", "operator 5 reads tensor 7, which is sparse and was not made dense"
    ) { $0.append(9, [9, 8, 7], makes: [1, 1]) },
    GraphRule("sparse weights", nil) { $0.append(9, [9, 7], makes: [1, 1]) },
    GraphRule(
      "a dense form of another shape", "operator 3 makes 24 numbers, but its output is declared as [1, 23]"
    ) {
      $0.graphs[0].tensors[8].shape = [1, 23]
    },
  ]

  @Test(arguments: cases) func `a sparse tensor follows the rules of its expansion`(_ rule: GraphRule) {
    let error = rule.failure(SparseParameters.model())
    #expect(error?.message == rule.message)
    #expect(error == nil || error?.code == .damagedModel)
  }

  @Test func `segments never fall`() {
    let error = Self.plain([0, 3, 2]).failure(SparseParameters.model())
    #expect(error?.message == "level 1 of tensor 7 ends segment 1 at 2, before its start at 3")
  }
}
