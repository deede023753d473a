// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

/// Structs of callers compiled with an older or a newer header.
@Suite struct StructTests {
  @Test func `the layout matches the header as Swift imports it`() {
    let lines = String(cString: fovea_layout()).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.map(\.[0]) == ["fovea_model", "fovea_image", "fovea_call", "fovea_columns"])
    let sizes = [
      MemoryLayout<fovea_model>.size, MemoryLayout<fovea_image>.size, MemoryLayout<fovea_call>.size,
      MemoryLayout<fovea_columns>.size,
    ]
    #expect(lines.map { Int($0[1]) } == sizes)
    #expect(lines[1].contains("stride:\(MemoryLayout<fovea_image>.offset(of: \.stride) ?? -1)"))
    #expect(lines[3].contains("mask_places:\(MemoryLayout<fovea_columns>.offset(of: \.mask_places) ?? -1)"))
    #expect(lines[3].contains("keypoints:\(MemoryLayout<fovea_columns>.offset(of: \.keypoints) ?? -1)"))
    #expect(fovea_abi() == 1)
    #expect(String(cString: fovea_version()).split(separator: ".").count == 3)
  }

  /// Two images with structs of another size, in one array.
  private func found(size: Int, tail: UInt8) throws -> [CFindings] {
    let analyzer = try CAnalyzer()
    let array = UnsafeMutableRawPointer.allocate(byteCount: size * 2 + 256, alignment: 16)
    defer { array.deallocate() }
    array.initializeMemory(as: UInt8.self, repeating: tail, count: size * 2 + 256)
    let pixels = [UInt8](repeating: 200, count: 48)
    return try pixels.withUnsafeBytes { pixels in
      var image = fovea_image()
      image.size = UInt32(size)
      image.kind = 3
      image.data = pixels.baseAddress
      image.length = pixels.count
      (image.width, image.height) = (4, 4)
      for index in 0..<2 {
        (array + index * size).copyMemory(from: &image, byteCount: min(size, MemoryLayout<fovea_image>.size))
      }
      var result: OpaquePointer?
      try CFailure.check(
        fovea_detect(analyzer.pointer, array.assumingMemoryBound(to: fovea_image.self), 2, nil, &result))
      return CFindings.taking(result)
    }
  }

  @Test(arguments: [32, 40, 56])
  func `an older caller's missing fields are 0`(_ size: Int) throws {
    // The bytes after the struct are garbage.
    let found = try found(size: size, tail: 0xee)
    #expect(found.map(\.failure) == [nil, nil])
    #expect(found.map(\.size.width) == [4, 4])
  }

  @Test func `a newer caller's fields are rejected unless they are 0`() throws {
    #expect(try found(size: 104, tail: 0).map(\.failure) == [nil, nil])
    let failure = #expect(throws: CFailure.self) { try found(size: 104, tail: 1) }
    #expect(failure?.code == "option-invalid")
    #expect(
      failure?.message.hasPrefix("images[0] has 104 bytes, this library knows 88, and byte 88 is not 0")
        == true)
  }

  @Test(arguments: [0, 3, 4, 16, 40, 144, 184, 192, 240, 256, 288, 304])
  func `columns are written up to the size of the caller's struct`(_ size: Int) throws {
    let analyzer = try CAnalyzer()
    var result: OpaquePointer?
    try CFailure.check(fovea_detect(analyzer.pointer, nil, 0, nil, &result))
    defer { fovea_result_free(result) }
    var bytes = [UInt8](repeating: 0xee, count: 320)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: UInt32(size), as: UInt32.self)
      guard let base = bytes.baseAddress else { return }
      fovea_result_columns(result, base.assumingMemoryBound(to: fovea_columns.self))
    }
    let written = size < 4 ? 4 : min(size, 288)
    #expect(bytes[written...].allSatisfy { $0 == 0xee })
    #expect(bytes.withUnsafeBytes { $0.load(as: UInt32.self) } == UInt32(size < 4 ? size : written))
  }
}
