// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// One image of a call, checked as far as possible without reading it.
@safe struct ImageArgument {
  // SAFETY: valid during the call, like the bytes.
  private let image: fovea_image
  private let data: UnsafeRawPointer
  private let kind: ImageKind
  private let orientation: Orientation?
  /// The name in errors.
  let name: String
  /// The region to process; nil for the whole image.
  let region: BoundingBox?

  /// - Throws: `argument-invalid`, which names the field.
  init(_ image: fovea_image, name number: String) throws(FoveaError) {
    let given = unsafe try CStruct.text(image.name, "name")
    do throws(FoveaError) {
      let number = unsafe image.kind
      guard let kind = ImageKind(number) else { throw .argument("'kind' is \(number), 1…7 expected") }
      guard let data = unsafe image.data else { throw .argument("'data' is NULL") }
      unsafe self.image = image
      unsafe self.data = unsafe data
      self.kind = kind
      orientation = unsafe try Self.orientation(image.orientation)
      region = unsafe try Self.region(image.region)
    } catch {
      var error = error
      error.subject = given ?? number
      throw error
    }
    name = given ?? number
  }

  private static func orientation(_ value: Int32) throws(FoveaError) -> Orientation? {
    guard value != 0 else { return nil }
    guard let orientation = Orientation(rawValue: Int(value)) else {
      throw .argument("'orientation' is \(value), 0…8 expected")
    }
    return orientation
  }

  private static func region(_ region: (Double, Double, Double, Double)) throws(FoveaError) -> BoundingBox? {
    let (x, y, width, height) = region
    guard (x, y, width, height) != (0, 0, 0, 0) else { return nil }
    guard [x, y, width, height].allSatisfy({ abs($0) <= 1e9 }) else {
      throw .argument(
        "'region' is (\(x), \(y), \(width), \(height)), numbers within ±1e9 expected",
        remedy: "Give x, y, width and height in pixels of the stored image")
    }
    return BoundingBox(x: x, y: y, width: width, height: height)
  }

  /// Calls `body` with the image; pixels are not copied.
  func withInput<R>(_ body: (ImageInput) throws -> R) throws -> R {
    switch kind {
    case .file: return try body(oriented(.file(readPath())))
    case .encoded:
      guard unsafe image.length != 0 else { throw argument("'length' is 0") }
      let limit = ImageLimits().maxFileBytes
      guard (0...max(limit, 1 << 40)).contains(unsafe image.length) else {
        throw argument("'length' is \(unsafe UInt(bitPattern: image.length))")
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: data, count: image.length)
      return unsafe try body(oriented(.data(unsafe bytes, name: name)))
    case .pixels: return try withPixels { try body(.pixels($0)) }
    }
  }

  /// Calls `body` with the borrowed pixels.
  /// - Throws: `argument-invalid` for an image of another kind, `invalid-buffer` for an invalid layout.
  func withPixels<R>(_ body: (PixelBuffer) throws -> R) throws -> R {
    let (layout, plane) = unsafe try plane()
    return try unsafe PixelBuffer.withUnsafeBorrowed(
      layout, planes: [plane], orientation: orientation ?? .up, name: name, body)
  }

  /// Returns an input that is used only during the call; pixels are not copied.
  func input() throws(FoveaError) -> ImageInput {
    do {
      guard case .pixels = kind else { return try withInput { $0 } }
      let (layout, plane) = unsafe try plane()
      return .pixels(
        try unsafe PixelBuffer(
          layout, adopting: [plane], orientation: orientation ?? .up, name: name, release: {}))
    } catch {
      throw FoveaError(error)
    }
  }

  private func plane() throws -> (PixelLayout, UnsafeRawBufferPointer) {
    guard case .pixels(let format) = kind else {
      throw argument("'kind' is \(unsafe image.kind), pixels (3…7) expected")
    }
    let (stride, length) = unsafe (Int(image.stride), image.length)
    let layout = try layout(of: format, stride: stride)
    guard length >= 0 else { throw argument("'length' is \(UInt(bitPattern: length))") }
    // With a negative stride the pointer is to the row with the highest address.
    let lowest = unsafe data - layout.firstRowOffset(plane: 0)
    return unsafe (layout, UnsafeRawBufferPointer(start: lowest, count: length))
  }

  private func layout(of format: PixelFormat, stride: Int) throws(ImageError) -> PixelLayout {
    do throws(ImageError) {
      return try PixelLayout(
        format, size: PixelSize(width: Int(unsafe image.width), height: Int(unsafe image.height)),
        bytesPerRow: stride == 0 ? nil : [stride])
    } catch {
      var error = error
      error.subject = name
      throw error
    }
  }

  private func oriented(_ input: ImageInput) -> ImageInput { orientation.map { input.oriented($0) } ?? input }

  /// The path of a file; nil for other images.
  var path: String? {
    get throws(FoveaError) {
      guard case .file = kind else { return nil }
      return try readPath()
    }
  }

  /// Reads the path of a file, up to its NUL or of `length` bytes.
  private func readPath() throws(FoveaError) -> String {
    let start = unsafe data.assumingMemoryBound(to: UInt8.self)
    let length = unsafe image.length == 0 ? strlen(data.assumingMemoryBound(to: CChar.self)) : image.length
    guard (1...Int(PATH_MAX)).contains(length) else {
      throw argument("the path has \(UInt(bitPattern: length)) bytes, 1…\(PATH_MAX) expected")
    }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
    guard unsafe !bytes.contains(0) else { throw argument("the path has a NUL inside its 'length'") }
    guard let path = unsafe String(validating: bytes, as: UTF8.self) else {
      throw argument("the path is not UTF-8", remedy: "Read the file, and give its bytes as FOVEA_ENCODED")
    }
    return path
  }

  private func argument(_ message: String, remedy: Advice = "See fovea.h") -> FoveaError {
    .argument(message, remedy: remedy, subject: name)
  }
}
