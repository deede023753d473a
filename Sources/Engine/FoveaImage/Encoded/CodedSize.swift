// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The size of the frames of an HEVC or AV1 stream, for which a decoder allocates its memory.
///
/// A stream may contain several sequence headers, and decoders use the last one, so this is the largest width
/// and the largest height of all headers.
struct CodedSize {
  /// The size; nil if no sequence header was found.
  private(set) var size: PixelSize?

  /// The longest sequence headers have about 400 bytes, those with all layers and operating points.
  private static let longestHeader = 512

  /// Adds the size of another stream, such as the configuration of this one.
  mutating func add(_ other: CodedSize) {
    if let size = other.size { add(width: size.width, height: size.height) }
  }

  private mutating func add(width: Int, height: Int) {
    size = PixelSize(width: max(size?.width ?? 0, width), height: max(size?.height ?? 0, height))
  }

  /// Adds the sequence headers among the OBUs of an AV1 stream, those of `av1C` or of an item's data.
  ///
  /// **Source:** AV1 specification, sections 5.3 (OBU) and 4.10.5 (`leb128()`).
  mutating func addAV1(_ stream: ByteReader) {
    var offset = 0
    while let head = stream.byte(at: offset) {
      offset += head & 0x04 == 0 ? 1 : 2
      var length = stream.count - offset
      if head & 0x02 != 0 {
        length = 0
        for index in 0..<8 {
          guard let byte = stream.byte(at: offset) else { return }
          offset += 1
          length |= Int(byte & 0x7f) << (7 * index)
          if byte & 0x80 == 0 { break }
        }
      }
      if head >> 3 & 0x0f == 1 {
        addAV1Header(BitReader([UInt8](stream.slice(at: offset, count: min(length, Self.longestHeader)))))
      }
      guard length <= stream.count - offset else { return }
      offset += length
    }
  }

  /// Adds the size in a sequence header.
  ///
  /// **Source:** AV1 specification, section 5.5.
  private mutating func addAV1Header(_ start: BitReader) {
    var bits = start
    bits.skip(3 + 1)  // seq_profile, still_picture
    if bits.flag() {  // reduced_still_picture_header
      bits.skip(5)  // seq_level_idx
    } else {
      Self.skipOperatingPoints(&bits)
    }
    let widthBits = bits.number(4) + 1
    let heightBits = bits.number(4) + 1
    let width = bits.number(widthBits) + 1
    let height = bits.number(heightBits) + 1
    if !bits.isPastEnd { add(width: width, height: height) }
  }

  private static func skipOperatingPoints(_ bits: inout BitReader) {
    var delayBits: Int?
    if bits.flag() {  // timing_info_present_flag
      bits.skip(32 + 32)  // num_units_in_display_tick, time_scale
      if bits.flag() { _ = bits.exponential() }  // num_ticks_per_picture
      if bits.flag() {  // decoder_model_info_present_flag
        delayBits = bits.number(5) + 1
        bits.skip(32 + 5 + 5)
      }
    }
    let hasInitialDelay = bits.flag()
    let points = bits.number(5) + 1
    for _ in 0..<points {
      bits.skip(12)  // operating_point_idc
      if bits.number(5) > 7 { bits.skip(1) }  // seq_level_idx, seq_tier
      if let delayBits, bits.flag() { bits.skip(2 * delayBits + 1) }
      if hasInitialDelay, bits.flag() { bits.skip(4) }
    }
  }

  /// Adds the sequence parameter sets in the content of an `hvcC` box.
  ///
  /// **Source:** ISO/IEC 14496-15, section 8.3.2.1.
  mutating func addHEVCConfiguration(_ box: ByteReader) {
    var offset = 23
    for _ in 0..<(box.byte(at: 22) ?? 0) {
      guard let units = box.uint16BE(at: offset + 1) else { return }
      offset += 3
      for _ in 0..<units {
        guard let length = box.uint16BE(at: offset) else { return }
        addHEVCUnit(box, at: offset + 2, count: length)
        offset += 2 + length
      }
    }
  }

  /// Adds the sequence parameter sets in the data of an item, whose NAL units follow their lengths.
  ///
  /// libheif reads lengths of four bytes, regardless of `hvcC`.
  mutating func addHEVC(_ stream: ByteReader) {
    var offset = 0
    while let length = stream.uint32BE(at: offset) {
      addHEVCUnit(stream, at: offset + 4, count: length)
      offset += 4 + length
    }
  }

  /// Adds the size in a NAL unit, if it is a sequence parameter set of the base layer.
  ///
  /// **Source:** ITU-T H.265, sections 7.3.1 (NAL units), 7.3.2.2 (the set) and 7.3.3 (profile and level).
  private mutating func addHEVCUnit(_ stream: ByteReader, at offset: Int, count: Int) {
    guard count > 2, let head = stream.uint16BE(at: offset), head >> 9 & 0x3f == 33, head >> 3 & 0x3f == 0
    else { return }
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in stream.slice(at: offset + 2, count: min(count - 2, Self.longestHeader)) {
      // A 3 after two zeros only separates them from what follows.
      if zeros < 2 || byte != 3 { bytes.append(byte) }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    var bits = BitReader(bytes)
    bits.skip(4)  // sps_video_parameter_set_id
    let layers = bits.number(3)  // sps_max_sub_layers_minus1
    bits.skip(1 + 88 + 8)  // sps_temporal_id_nesting_flag, the general profile, its level
    var layerBits = 0
    for _ in 0..<layers {
      if bits.flag() { layerBits += 88 }
      if bits.flag() { layerBits += 8 }
    }
    if layers > 0 { bits.skip(2 * (8 - layers)) }
    bits.skip(layerBits)
    _ = bits.exponential()  // sps_seq_parameter_set_id
    if bits.exponential() == 3 { bits.skip(1) }  // chroma_format_idc, separate_colour_plane_flag
    let width = bits.exponential()
    let height = bits.exponential()
    if !bits.isPastEnd, width > 0, height > 0 { add(width: width, height: height) }
  }
}
