// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// What `DecodedImage.write` keeps from one call to the next: memory, filter weights and value tables.
///
/// The second call with the same sizes allocates nothing. Not `Sendable`: one worker owns it.
public final class TensorScratch {
  /// The filters of the first plane and of the chroma planes.
  let vertical = (main: TriangleFilter(), chroma: TriangleFilter())
  let horizontal = (main: TriangleFilter(), chroma: TriangleFilter())
  private var memory: PixelMemory?
  private var tableSpec: ImageTensorSpec?
  private var table = PixelTable.raw

  /// Makes an empty scratch.
  public init() {}

  /// Memory of at least `count` bytes, with undefined values; the last one given becomes invalid.
  func reserve(_ count: Int, name: String) throws(ImageError) -> PixelMemory {
    if let memory, memory.count >= count { return memory }
    memory = nil
    let larger = try PixelMemory(count: count, name: name)
    memory = larger
    return larger
  }

  /// The value table of a tensor.
  func table(for spec: ImageTensorSpec, imageName: String) throws(ImageError) -> PixelTable {
    if spec == tableSpec { return table }
    table = try PixelTable(spec, imageName: imageName)
    tableSpec = spec
    return table
  }
}
