// SPDX-License-Identifier: Apache-2.0

/// The signatures of a model: finds the callable subgraphs, and the signatures that do not match theirs.
///
/// LiteRT looks up each input and output of the graph by its name in the signature; if the signature names
/// another tensor, LiteRT gets a null name and crashes.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, tables SignatureDef and TensorMap; LiteRT,
/// `litert/core/model/model_load.cc`, UnpackSignatures.
struct CheckedSignatures {
  /// The subgraphs that signatures call, and the first subgraph.
  private(set) var callable: Set = [0]
  /// The valid signatures, by their index in the file.
  private var kept: [Int] = []
  private var repairs: [ModelRepair] = []
  private var vector = FlatVector.empty

  /// Reads the signatures.
  /// - Throws: `damagedModel` for a signature of a missing subgraph or tensor.
  init(
    _ root: FlatTable, _ graphs: [CheckedGraph], in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    typealias Field = GraphSchema.Signature
    vector = try root.vector(ModelFile.Field.signatureDefs, stride: 4, in: bytes) ?? .empty
    var keys: Set<String> = []
    let tables = try root.tables(ModelFile.Field.signatureDefs, in: bytes, &budget)
    for (place, table) in tables.enumerated() {
      let index = Int(try table.uint32(Field.subgraph, in: bytes))
      guard graphs.indices.contains(index) else {
        throw .damaged("a signature is for subgraph \(index), but the model has \(graphs.count)")
      }
      callable.insert(index)
      let key = try table.string(Field.key, in: bytes, &budget) ?? ""
      let inputs = try Self.entries(table, Field.inputs, graphs[index], in: bytes, &budget)
      let outputs = try Self.entries(table, Field.outputs, graphs[index], in: bytes, &budget)
      let reason =
        key.isEmpty
        ? "it has no name"
        : keys.insert(key).inserted
          ? Self.misfit(inputs, graphs[index].inputs, "input")
            ?? Self.misfit(outputs, graphs[index].outputs, "output")
          : "another signature has the same name"
      guard let reason else {
        kept.append(place)
        continue
      }
      repairs.append(ModelRepair(.signatureIgnored, "the signature '\(key)' is ignored: \(reason)"))
    }
  }

  /// Removes the invalid signatures from the list.
  func repair(_ patch: inout ModelPatch, in bytes: Span<UInt8>) throws(MetadataError) {
    guard !repairs.isEmpty else { return }
    patch.repairs += repairs
    try patch.keep(kept, of: vector, named: "signature_defs", in: bytes)
  }

  private typealias Entry = (name: String, tensor: Int)

  private static func entries(
    _ signature: FlatTable, _ field: FlatField, _ graph: CheckedGraph, in bytes: Span<UInt8>,
    _ budget: inout FlatBudget
  ) throws(MetadataError) -> [Entry] {
    var entries: [Entry] = []
    for table in try signature.tables(field, in: bytes, &budget) {
      let tensor = Int(try table.uint32(GraphSchema.TensorMap.tensor, in: bytes))
      guard graph.tensors.indices.contains(tensor) else {
        throw .damaged("a signature uses tensor \(tensor), but the model has \(graph.tensors.count) tensors")
      }
      entries.append((try table.string(GraphSchema.TensorMap.name, in: bytes, &budget) ?? "", tensor))
    }
    return entries
  }

  /// Returns why the entries are not exactly the graph's tensors, each once and with a unique name; nil if
  /// they are.
  private static func misfit(_ entries: [Entry], _ tensors: [Int], _ kind: String) -> String? {
    let own = Set(tensors)
    if let entry = entries.first(where: { !own.contains($0.tensor) }) {
      let list = tensors.prefix(8).map(String.init).joined(separator: ", ") + (tensors.count > 8 ? ", …" : "")
      return "it names tensor \(entry.tensor) as \(kind), but the graph's \(kind)s are [\(list)]"
    }
    guard entries.count == tensors.count, Set(entries.map(\.tensor)).count == tensors.count else {
      return "it names \(Set(entries.map(\.tensor)).count) of the graph's \(tensors.count) \(kind)s"
    }
    guard entries.allSatisfy({ !$0.name.isEmpty }) else { return "an \(kind) has no name" }
    guard Set(entries.map(\.name)).count == entries.count else { return "two \(kind)s have the same name" }
    return nil
  }
}
