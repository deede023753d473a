// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The positions in a sound model whose numbers define the graph: damage there is more than another weight.
package struct ModelSites {
  package enum Part: Int, CaseIterable {
    case shape, tensorField, quantization, operatorCode, operatorField, operatorIndex, options, customOptions
    case constant, sparsity, vectorLength, vtable, offset, graphIndex, signature, metadata, archive

    /// Whether it belongs to the format and not to its content.
    package var isStructural: Bool { [.vectorLength, .vtable, .offset].contains(self) }
  }

  package struct Site {
    package let position: Int
    /// 1, 2, 4 or 8 bytes.
    package let width: Int
  }

  package private(set) var sites: [Part: [Site]] = [:]
  private let bytes: [UInt8]

  /// - Parameters:
  ///   - bytes: A sound model.
  ///   - archiveStart: The offset of the archive at its end; nil if it has none.
  /// - Throws: `MetadataError` for a damaged model.
  package init(_ bytes: [UInt8], archiveStart: Int? = nil) throws {
    self.bytes = bytes
    let root = try ModelFile(bytes.span).root
    add(.offset, root, fields: .vtable)
    try addVectorLengths(root, ids: [1, 2, 4, 6, 7])
    for code in try tables(root, 1) { add(.operatorCode, code, fields: .all) }
    let buffers = try tables(root, 4)
    var shapeBuffers: Set<Int> = []
    for graph in try tables(root, 2) {
      add(.offset, graph, fields: .vtable)
      try addVectorLengths(graph, ids: [0, 1, 2, 3])
      for id in [1, 2] { try addElements(.graphIndex, graph, id, width: 4) }
      for tensor in try tables(graph, 0) {
        try addTensor(tensor)
        // Constants of int32 and int64 are axes, shapes and sizes.
        let type = try tensor.uint8(FlatField(1, "type"), in: bytes.span)
        if type == 2 || type == 4 {
          shapeBuffers.insert(Int(try tensor.uint32(FlatField(2, "buffer"), in: bytes.span)))
        }
      }
      for node in try tables(graph, 3) { try addOperator(node) }
    }
    for index in buffers.indices {
      try addVectorLengths(buffers[index], ids: [0])
      let limit = shapeBuffers.contains(index) ? 64 : 4
      try addElements(.constant, buffers[index], 0, width: 4, stride: 1, limit: limit)
    }
    for signature in try tables(root, 7) {
      add(.signature, signature, fields: .all)
      for id in [0, 1] { for map in try tables(signature, id) { add(.signature, map, fields: .all) } }
    }
    var budget = FlatBudget()
    if let range = try ModelFile(bytes.span).metadataRange(in: bytes.span, &budget) {
      sites[.metadata] = range.map { Site(position: $0, width: [1, 1, 2, 4][$0 % 4]) }
    }
    if let archiveStart {
      sites[.archive] = (archiveStart..<bytes.count).map {
        Site(position: $0, width: [1, 1, 2, 4][$0 % 4])
      }
    }
    for (part, list) in sites {
      sites[part] = list.filter { $0.position >= 0 && $0.position + $0.width <= bytes.count }
    }
    sites = sites.filter { !$0.value.isEmpty }
  }

  private enum Fields { case all, inline, vtable }

  private func number(_ position: Int, _ width: Int) -> Int {
    (0..<width).reversed().reduce(0) { $0 << 8 | Int(bytes[position + $1]) }
  }

  /// Adds a table's inline bytes, its vtable, or both.
  private mutating func add(_ part: Part, _ table: FlatTable, fields: Fields) {
    let start = table.position
    let vtable = start - Int(Int32(truncatingIfNeeded: number(start, 4)))
    let (vtableLength, length) = (number(vtable, 2), number(vtable + 2, 2))
    if fields != .inline {
      let entries = stride(from: vtable, to: vtable + vtableLength, by: 2)
      sites[.vtable, default: []] += entries.map { Site(position: $0, width: 2) }
    }
    guard fields != .vtable else { return }
    for position in start + 4..<start + max(length, 4) {
      sites[part, default: []].append(Site(position: position, width: position % 4 == 0 ? 4 : 1))
    }
  }

  private func tables(_ table: FlatTable, _ id: Int) throws -> [FlatTable] {
    var budget = FlatBudget()
    return try table.tables(FlatField(id, "\(id)"), in: bytes.span, &budget)
  }

  private mutating func addElements(
    _ part: Part, _ table: FlatTable, _ id: Int, width: Int, stride size: Int? = nil, limit: Int = 4096
  ) throws {
    guard let vector = try table.vector(FlatField(id, "\(id)"), stride: size ?? width, in: bytes.span) else {
      return
    }
    let end = vector.start + min(vector.count * (size ?? width), limit)
    sites[part, default: []] += stride(from: vector.start, to: end - width + 1, by: width).map {
      Site(position: $0, width: width)
    }
  }

  private mutating func addVectorLengths(_ table: FlatTable, ids: [Int]) throws {
    for id in ids {
      guard let vector = try table.vector(FlatField(id, "\(id)"), stride: 1, in: bytes.span) else { continue }
      sites[.vectorLength, default: []].append(Site(position: vector.start - 4, width: 4))
    }
  }

  private mutating func addTensor(_ tensor: FlatTable) throws {
    add(.tensorField, tensor, fields: .all)
    try addElements(.shape, tensor, 0, width: 4)
    try addElements(.shape, tensor, 7, width: 4)
    try addVectorLengths(tensor, ids: [0, 3])
    try addSparsity(tensor)
    var budget = FlatBudget()
    guard let quantization = try tensor.table(FlatField(4, "quantization"), in: bytes.span, &budget) else {
      return
    }
    add(.quantization, quantization, fields: .all)
    try addVectorLengths(quantization, ids: [2, 3])
    try addElements(.quantization, quantization, 2, width: 4)
    try addElements(.quantization, quantization, 3, width: 8)
  }

  private mutating func addSparsity(_ tensor: FlatTable) throws {
    var budget = FlatBudget()
    guard let sparsity = try tensor.table(GraphSchema.Tensor.sparsity, in: bytes.span, &budget) else {
      return
    }
    add(.sparsity, sparsity, fields: .all)
    try addVectorLengths(sparsity, ids: [0, 1, 2])
    for id in [0, 1] { try addElements(.sparsity, sparsity, id, width: 4) }
    for level in try tables(sparsity, 2) {
      add(.sparsity, level, fields: .all)
      for (type, id) in [(2, 3), (4, 5)] {
        guard let list = try level.table(FlatField(id, "list"), in: bytes.span, &budget) else { continue }
        let kind = try level.uint8(FlatField(type, "type"), in: bytes.span)
        try addVectorLengths(list, ids: [0])
        try addElements(.sparsity, list, 0, width: kind == 1 ? 4 : kind == 2 ? 2 : 1)
      }
    }
  }

  private mutating func addOperator(_ node: FlatTable) throws {
    add(.operatorField, node, fields: .all)
    try addVectorLengths(node, ids: [1, 2])
    for id in [1, 2] { try addElements(.operatorIndex, node, id, width: 4) }
    try addElements(.customOptions, node, 5, width: 1)
    var budget = FlatBudget()
    if let options = try node.table(FlatField(4, "options"), in: bytes.span, &budget) {
      add(.options, options, fields: .all)
    }
  }
}
