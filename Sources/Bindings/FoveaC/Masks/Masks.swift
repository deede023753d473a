// SPDX-License-Identifier: Apache-2.0

package import CFovea
import FoveaCore
import FoveaGeometry

@c @implementation package func fovea_mask_bits(
  _ columns: UnsafePointer<fovea_columns>?, _ object: Int, _ width: Int32, _ height: Int32,
  _ out: UnsafeMutablePointer<UInt8>?, _ length: Int
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let mask = unsafe try MaskArgument(columns).mask(of: object)
    let size = try PixelSize(width: width, height: height)
    let out = unsafe try CStruct.pixels(out, length, for: size)
    unsafe out.update(repeating: 0, count: size.area)
    guard let bitmap = mask?.clamped(to: size).bitmap() else { return }
    unsafe bitmap.pixels.withUnsafeBufferPointer { pixels in
      guard let start = pixels.baseAddress else { return }
      for row in 0..<bitmap.size.height {
        let to = unsafe out + (bitmap.y + row) * size.width + bitmap.x
        unsafe to.update(from: start + row * bitmap.size.width, count: bitmap.size.width)
      }
    }
  }
}

@c @implementation package func fovea_mask_text(
  _ columns: UnsafePointer<fovea_columns>?, _ object: Int, _ width: Int32, _ height: Int32,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let mask = unsafe try MaskArgument(columns).mask(of: object)
    let size = try PixelSize(width: width, height: height)
    let runs: RunLengths
    do throws(GeometryError) {
      if let mask {
        runs = try mask.runLengths(in: size)
      } else {
        runs = try RunLengths(counts: [UInt32(size.area)], size: size)
      }
    } catch {
      throw .argument(error.message)
    }
    unsafe out.pointee = unsafe try CText.copy(runs.text)
  }
}

@c @implementation package func fovea_mask_outlines(
  _ columns: UnsafePointer<fovea_columns>?, _ object: Int, _ points: UnsafeMutablePointer<Double>?,
  _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    guard let count = unsafe count else { throw .argument("'count' is NULL") }
    unsafe count.pointee = 0
    let outlines = unsafe try MaskArgument(columns).mask(of: object)?.outlines ?? []
    let needed = outlines.reduce(0) { $0 + $1.count + 1 }
    guard unsafe points != nil || capacity == 0 else { throw .argument("'points' is NULL") }
    unsafe count.pointee = needed
    guard let points = unsafe points, UInt(bitPattern: capacity) >= UInt(needed) else { return }
    var place = 0
    for outline in outlines {
      for point in outline + [PixelPoint(x: .nan, y: .nan)] {
        unsafe points[place] = point.x
        unsafe points[place + 1] = point.y
        place += 2
      }
    }
  }
}
