// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The state that `DecodedImage.write` keeps between calls: memory, filter weights and value tables.
///
/// The second call with the same sizes allocates nothing. Not `Sendable`: one worker owns it.
public final class TensorScratch {
  /// The filters of the first plane and of the chroma planes.
  let vertical = (main: TriangleFilter(), chroma: TriangleFilter())
  let horizontal = (main: TriangleFilter(), chroma: TriangleFilter())
  private var memory: PixelMemory?
  private var tableSpec: ImageTensorSpec?
  private var table = PixelTable.raw

  /// Creates an empty scratch.
  public init() {}

  /// Returns at least `count` bytes with undefined values; invalidates the block of the previous call.
  func reserve(_ count: Int, name: String) throws(ImageError) -> PixelMemory {
    if let memory, memory.count >= count { return memory }
    memory = nil
    let larger = try PixelMemory(count: count, name: name)
    memory = larger
    return larger
  }

  /// Returns the value table of a tensor.
  func table(for spec: ImageTensorSpec, imageName: String) throws(ImageError) -> PixelTable {
    if spec == tableSpec { return table }
    table = try PixelTable(spec, imageName: imageName)
    tableSpec = spec
    return table
  }
}
