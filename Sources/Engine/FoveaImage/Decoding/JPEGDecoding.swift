// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import FoveaCore
import FoveaGeometry

/// Decodes one JPEG through TurboJPEG.
@safe struct JPEGDecoding {
  private let image: EncodedImage
  // SAFETY: borrowed from the decoder, which outlives this value.
  private let handle: tjhandle

  /// The maximum number of scans in a file, TurboJPEG's own limit.
  ///
  /// A file with more is an attack: each scan of a progressive file processes the whole image again.
  static let maximumScans = 500

  private static let flags = TJFLAG_LIMITSCANS

  /// The maximum number of pixels that all scans may process, about a second of work; 20 scans are always
  /// allowed.
  ///
  /// Progressive files have about ten scans.
  private static let maximumScannedPixels = 1_000_000_000

  init(_ image: EncodedImage, handle: tjhandle) {
    self.image = image
    unsafe self.handle = unsafe handle
  }

  /// TurboJPEG's description of the file.
  private struct Coding {
    var subsampling: Int32
    var colorSpace: Int32
  }

  func decode(scaledFor target: DecodeTarget) throws(ImageError) -> DecodedImage {
    let factor = target.reduction(of: image.size)
    let size = PixelSize(
      width: (image.size.width + factor - 1) / factor, height: (image.size.height + factor - 1) / factor)
    let coding = try readHeader()
    switch coding.colorSpace {
    case Int32(TJCS_CMYK.rawValue), Int32(TJCS_YCCK.rawValue):
      return try decodeCMYK(size: size, factor: factor)
    case Int32(TJCS_RGB.rawValue): return try decodeRGB(size: size, factor: factor)
    default:
      if coding.subsampling < 0 { return try decodeRGB(size: size, factor: factor) }
      return try decodePlanes(size: size, factor: factor, subsampling: coding.subsampling)
    }
  }

  /// Whether TurboJPEG converts the file to blue, green, red itself: all but CMYK and YCCK.
  var decodesToBGRX: Bool {
    get throws(ImageError) {
      let space = try readHeader().colorSpace
      return space != Int32(TJCS_CMYK.rawValue) && space != Int32(TJCS_YCCK.rawValue)
    }
  }

  /// Throws, before decoding, for a file whose scans process the image too often.
  private func checkScans() throws(ImageError) {
    let allowed = max(20, Self.maximumScannedPixels / image.size.area)
    // The image is small enough for TurboJPEG's own limit.
    guard allowed < Self.maximumScans else { return }
    let count = image.scanCount
    guard count <= allowed else {
      throw ImageError(
        .tooLarge,
        "the JPEG has \(count) scans of its \(image.size) pixels, \(allowed) are allowed",
        remedy: "Open it in an image editor and save it again as a baseline JPEG",
        subject: image.name)
    }
  }

  private func readHeader() throws(ImageError) -> Coding {
    try checkScans()
    var width: Int32 = 0
    var height: Int32 = 0
    var coding = Coding(subsampling: -1, colorSpace: -1)
    let result = unsafe image.bytes.withUnsafeBufferPointer { bytes in
      unsafe tjDecompressHeader3(
        handle, bytes.baseAddress, UInt(bytes.count), &width, &height, &coding.subsampling,
        &coding.colorSpace)
    }
    if result != 0 {
      // TurboJPEG has no name for unusual sampling factors; such a file is decoded to RGB instead.
      let reason = unsafe String(cString: tjGetErrorStr2(handle))
      if reason.contains(part: "subsampling type") { return coding }
      if let error = failure() { throw error }
    }
    guard Int(width) == image.size.width, Int(height) == image.size.height else {
      throw .corrupt(image.name, .jpeg, "two frame headers disagree on the size")
    }
    return coding
  }

  /// Decodes the planes as they are coded, without upsampling and colour conversion: the usual case.
  private func decodePlanes(size: PixelSize, factor: Int, subsampling: Int32) throws(ImageError)
    -> DecodedImage
  {
    let isGrey = subsampling == Int32(TJSAMP_GRAY.rawValue)
    let count = isGrey ? 1 : 3
    var offsets: [Int] = []
    var strides: [Int32] = []
    var total = 0
    for index in 0..<Int32(count) {
      let width = tjPlaneWidth(index, Int32(size.width), subsampling)
      let height = tjPlaneHeight(index, Int32(size.height), subsampling)
      guard width > 0, height > 0 else { throw .corrupt(image.name, .jpeg, "the size is \(image.size)") }
      // Rows at multiples of 32 bytes keep the vector loads of the resampler within one cache line.
      let stride = (Int(width) + 31) / 32 * 32
      offsets.append(total)
      strides.append(Int32(stride))
      total += stride * Int(height)
    }
    let memory = try PixelMemory(count: total, name: image.name)
    var pointers = unsafe offsets.map { unsafe Optional(memory.base + $0) }
    let note = try unsafe check { bytes in
      unsafe tjDecompressToYUVPlanes(
        handle, bytes.baseAddress, UInt(bytes.count), &pointers, Int32(size.width), &strides,
        Int32(size.height), Self.flags)
    }
    let full = image.size
    let sampling = isGrey ? (horizontal: 1, vertical: 1) : Self.samplesPerPixel(subsampling)
    let planes = unsafe (0..<count).map { index in
      unsafe DecodedImage.Plane(
        base: UnsafePointer(memory.base + offsets[index]), bytesPerRow: Int(strides[index]),
        width: Double(full.width) / Double(factor) / (index == 0 ? 1 : sampling.horizontal),
        height: Double(full.height) / Double(factor) / (index == 0 ? 1 : sampling.vertical))
    }
    return unsafe DecodedImage(
      of: image, size: size, layout: isGrey ? .grey : .yCbCr, planes: planes, memory: memory, note: note)
  }

  /// Returns the number of pixels that one chroma sample covers: 1, 2 or 4 in each direction.
  private static func samplesPerPixel(_ subsampling: Int32) -> (horizontal: Double, vertical: Double) {
    let side: Int32 = 1024
    return (
      Double(side) / Double(tjPlaneWidth(1, side, subsampling)),
      Double(side) / Double(tjPlaneHeight(1, side, subsampling))
    )
  }

  private func decodeRGB(size: PixelSize, factor: Int) throws(ImageError) -> DecodedImage {
    let memory = try PixelMemory(count: size.area * 3, name: image.name)
    let note = try unsafe decodePacked(
      into: memory.base, bytesPerRow: size.width * 3, size: size, format: TJPF_RGB)
    return .rgb(of: image, size: size, memory: memory, factor: factor, note: note)
  }

  /// Decodes CMYK and YCCK as written by Adobe: inverted, 255 is no ink.
  private func decodeCMYK(size: PixelSize, factor: Int) throws(ImageError) -> DecodedImage {
    let memory = try PixelMemory(count: size.area * 4, name: image.name)
    let note = try unsafe decodePacked(
      into: memory.base, bytesPerRow: size.width * 4, size: size, format: TJPF_CMYK)
    unsafe PixelComposition.inkToRGB(memory.base, count: size.area)
    return .rgb(of: image, size: size, memory: memory, factor: factor, note: note)
  }

  /// Decodes to interleaved pixels.
  /// - Returns: A note about the file for the user; nil for an intact file.
  @discardableResult
  func decodePacked(
    into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, size: PixelSize, format: TJPF
  ) throws(ImageError) -> String? {
    try unsafe check { bytes in
      unsafe tjDecompress2(
        handle, bytes.baseAddress, UInt(bytes.count), base, Int32(size.width), Int32(bytesPerRow),
        Int32(size.height), Int32(format.rawValue), Self.flags)
    }
  }

  /// Decodes a file; if its end is missing or replaced by something else, appends an end marker and retries.
  /// - Returns: A note about the file for the user; nil for an intact file.
  private func check(_ decode: (UnsafeBufferPointer<UInt8>) -> Int32) throws(ImageError) -> String? {
    let result = unsafe image.bytes.withUnsafeBufferPointer { bytes in unsafe decode(bytes) }
    guard result != 0, let error = failure() else {
      let surplus = try surplusNote(image.bytes, hasWarning: result != 0)
      return try scansNote() ?? surplus
    }
    guard let ending = JPEGEnding(completing: image.bytes) else { throw error }
    let again = unsafe ending.bytes.withUnsafeBufferPointer { bytes in unsafe decode(bytes) }
    guard again == 0 || hasOnlyMoreData(ending) else { throw error }
    _ = try surplusNote(ending.bytes, hasWarning: again != 0)
    return "the JPEG does not end as it should; its image is complete"
  }

  /// Throws for a file that ends before every component has a scan.
  ///
  /// TurboJPEG does not report scans that an early end marker hides.
  /// - Returns: A note if scans with details are missing; otherwise nil.
  private func scansNote() throws(ImageError) -> String? {
    guard let progress = image.scanProgress else { return nil }
    if progress.lacksMeans { throw .truncated(image.name, .jpeg, byteCount: image.byteCount) }
    guard progress.lacksDetails else { return nil }
    return "the progressive JPEG lacks scans with its details; it may have been cut off"
  }

  /// The maximum number of surplus bytes that do not cause a note: writers pad files with a few.
  private static let usualSurplus = 8

  /// Throws for a file with a hole in its coded data.
  /// - Returns: A note with the number of surplus bytes if the image may lack something; otherwise nil.
  private func surplusNote(_ bytes: [UInt8], hasWarning: Bool) throws(ImageError) -> String? {
    // "Corrupt JPEG data: 16 extraneous bytes before marker 0xd9"
    let message = unsafe hasWarning ? String(cString: tjGetErrorStr2(handle)) : ""
    let words = message.split(separator: " ")
    let surplus = words.firstIndex(of: "extraneous").flatMap { $0 > 0 ? Int(words[$0 - 1]) : nil }
    let isAtEnd = message.contains(part: "before marker 0xd9")
    if let zeros = JPEGHole.zeros(in: bytes, unread: isAtEnd ? surplus : nil) {
      throw .corrupt(image.name, .jpeg, "\(zeros) zeros in a row have replaced its codes")
    }
    guard let surplus, surplus > Self.usualSurplus else { return nil }
    return "the JPEG has \(surplus) surplus bytes; its image may be damaged"
  }

  /// Returns whether the only fault of the last call lies between the last block and the end.
  ///
  /// Only the first warning has a message. This one, before an end marker, appears only after every block has
  /// been decoded, because `JPEGEnding` has found all restart markers; before a restart marker, the same
  /// holds if the scans have none.
  private func hasOnlyMoreData(_ ending: JPEGEnding) -> Bool {
    guard unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return false }
    let message = unsafe String(cString: tjGetErrorStr2(handle))
    return message.contains(part: "extraneous bytes before marker 0xd9")
      || !ending.hasRestarts && message.contains(part: "extraneous bytes before marker 0xd")
  }

  /// Parts of the warnings in libjpeg's jerror.h that do not affect pixels.
  private static let warnings = [
    "Corrupt JPEG data", "Unknown Adobe color transform", "unknown JFIF revision",
    "Invalid SOS parameters for sequential", "too many scanlines",
  ]

  /// Returns the error for the last call's message; nil for a warning that does not affect pixels.
  ///
  /// TurboJPEG has no codes for its warnings, so their messages (libjpeg's jerror.h) are compared.
  private func failure() -> ImageError? {
    let message = unsafe String(cString: tjGetErrorStr2(handle))
    let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    if isWarning {
      if message.contains(part: "remature end") {
        return .truncated(image.name, .jpeg, byteCount: image.byteCount)
      }
      if message.contains(part: "bad Huffman code") || message.contains(part: "instead of RST")
        || message.contains(part: "nconsistent progression") || message.contains(part: "two SOI")
      {
        return .corrupt(image.name, .jpeg, message)
      }
      if isEndMissing { return .truncated(image.name, .jpeg, byteCount: image.byteCount) }
      // An error after a warning still has the warning's code.
      return Self.warnings.contains(where: message.contains(part:))
        ? nil : .corrupt(image.name, .jpeg, message)
    }
    if message.contains(part: "nsufficient memory") {
      return .outOfMemory(image.name, byteCount: image.size.area * 2)
    }
    // No format has such markers, so something else has overwritten the codes.
    if message.contains(part: "nsupported marker") { return .corrupt(image.name, .jpeg, message) }
    if message.contains(part: "nsupported") || message.contains(part: "not supported")
      || message.contains(part: "not compiled")
    {
      return .unsupported(
        image.name, "the JPEG uses a feature that libjpeg-turbo does not support: \(message)")
    }
    if message.contains(part: "remature end") || message.contains(part: "mpty input") {
      return .truncated(image.name, .jpeg, byteCount: image.byteCount)
    }
    return .corrupt(image.name, .jpeg, message)
  }

  /// Whether the end marker is missing; only the first warning has a message, and it may hide this warning.
  private var isEndMissing: Bool {
    let bytes = image.bytes
    for index in stride(from: bytes.count - 2, through: 0, by: -1) where bytes[index] == 0xff {
      if bytes[index + 1] == 0xd9 { return false }
    }
    return true
  }
}
