// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

@c @implementation package func fovea_map_pixels(
  _ columns: UnsafePointer<fovea_columns>?, _ image: Int, _ width: Int32, _ height: Int32,
  _ out: UnsafeMutablePointer<UInt8>?, _ length: Int
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let map = unsafe try map(of: image, in: columns)
    let size = try PixelSize(width: width, height: height)
    let out = unsafe try CStruct.pixels(out, length, for: size)
    guard let map else { return unsafe out.update(repeating: MapHead.noClass, count: size.area) }
    unsafe map.classes(in: size).withUnsafeBufferPointer { pixels in
      guard let start = pixels.baseAddress else { return }
      unsafe out.update(from: start, count: size.area)
    }
  }
}

/// The size of a struct up to and including its columns of maps.
private let minimumSize = 240

/// Returns the map of an image in columns of a result or of a caller; nil if it has none.
/// - Throws: `argument-invalid` if there is no such image, or its map is damaged.
private func map(
  of image: Int, in argument: UnsafePointer<fovea_columns>?
) throws(FoveaError) -> SegmentationMap? {
  guard let argument = unsafe argument else { throw .argument("'columns' is NULL") }
  var columns = unsafe fovea_columns()
  unsafe try CStruct.read(argument, into: &columns, minimum: minimumSize, "columns")
  let grids = unsafe CellColumns(
    name: "map of image", prefix: "map", count: columns.images, offsets: columns.map_offsets,
    sizes: columns.map_sizes, places: columns.map_places)
  guard let grid = try grids.grid(at: image, "image") else { return nil }
  let classes = unsafe try grids.cells(of: grid, in: columns.map_classes, "map_classes")
  let confidences =
    unsafe columns.map_confidences == nil
    ? [] : unsafe try grids.cells(of: grid, in: columns.map_confidences, "map_confidences")
  guard !classes.isEmpty, grid.region.isUsable, grid.bounds.isUsable else {
    throw .argument("the map of image \(image) has no cells, or edges that are not in order")
  }
  return SegmentationMap(
    MapCells(classes: classes, confidences: confidences), width: grid.columns, labels: [],
    isBinary: unsafe columns.map_class_count == 2, region: grid.region, bounds: grid.bounds)
}

extension BoundingBox {
  /// Whether the edges are in order, and near enough for whole numbers.
  fileprivate var isUsable: Bool {
    let limit = 1e9
    return minX < maxX && minY < maxY && minX > -limit && minY > -limit && maxX < limit && maxY < limit
  }
}
