// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// Reads structs of callers, which may be older or newer than this library.
enum CStruct {
  /// The maximum size of a struct of this interface, in bytes.
  private static let largest = 4_096

  /// Reads a struct; fields that the caller's struct lacks stay 0.
  /// - Parameters:
  ///   - pointer: The caller's struct; its first field is its size.
  ///   - value: The struct filled with zeros.
  ///   - minimum: The size of the fields that every caller has.
  ///   - name: The name in errors.
  /// - Returns: The size of the caller's struct.
  /// - Throws: `argument-invalid` for an invalid size, `option-invalid` for an unknown field that is not 0.
  @discardableResult static func read<Value>(
    _ pointer: UnsafeRawPointer, into value: inout Value, minimum: Int, _ name: String
  ) throws(FoveaError) -> Int {
    let size = Int(unsafe pointer.loadUnaligned(as: UInt32.self))
    guard (minimum...largest).contains(size) else {
      throw .argument(
        "'size' of \(name) is \(size), \(minimum)…\(largest) expected",
        remedy: "Set it to the sizeof of the struct")
    }
    // A size that ends within a field, which no header has, must not produce half a pointer.
    let whole = size / MemoryLayout<Int>.size * MemoryLayout<Int>.size
    unsafe withUnsafeMutableBytes(of: &value) { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(whole, target.count)))
    }
    for offset in MemoryLayout<Value>.size..<max(size, MemoryLayout<Value>.size)
    where unsafe pointer.load(fromByteOffset: offset, as: UInt8.self) != 0 {
      throw .optionInvalid(
        "\(name) has \(size) bytes, this library knows \(MemoryLayout<Value>.size), "
          + "and byte \(offset) is not 0",
        remedy: "Use a newer libfovea, or set only the fields that it knows")
    }
    return size
  }

  /// Returns the text of a pointer; nil for NULL.
  /// - Throws: `argument-invalid` for bytes that are not UTF-8.
  static func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(FoveaError) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    guard let text = unsafe String(validatingCString: pointer) else {
      throw .argument("'\(name)' is not UTF-8", remedy: "Give texts in UTF-8")
    }
    return text
  }

  /// Sets a function's output to NULL, so that it is not used after an error.
  static func clear<Value>(
    _ out: UnsafeMutablePointer<Value?>?, _ name: String = "out"
  ) throws(FoveaError) -> UnsafeMutablePointer<Value?> {
    guard let out = unsafe out else { throw .argument("'\(name)' is NULL") }
    unsafe out.pointee = nil
    return unsafe out
  }

  /// Returns the memory for the pixels of an image, a byte each.
  /// - Throws: `argument-invalid` for NULL, and for less memory than the image needs.
  static func pixels(
    _ out: UnsafeMutablePointer<UInt8>?, _ length: Int, for size: PixelSize
  ) throws(FoveaError) -> UnsafeMutablePointer<UInt8> {
    guard let out = unsafe out else { throw .argument("'out' is NULL") }
    guard UInt(bitPattern: length) >= UInt(size.area) else {
      throw .argument("'length' is \(UInt(bitPattern: length)), at least \(size.area) expected")
    }
    return unsafe out
  }
}

extension PixelSize {
  /// The size of an image, which has fewer than 2³² pixels.
  init(width: Int32, height: Int32) throws(FoveaError) {
    guard width > 0, height > 0, Int(width) * Int(height) <= Int(UInt32.max) else {
      throw .argument("'width' and 'height' are \(width) and \(height), 1 to 4294967295 pixels expected")
    }
    self.init(width: Int(width), height: Int(height))
  }
}
