// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

/// Impossible arguments are errors that name the argument.
@Suite struct ArgumentTests {
  static let pixels = CImage(kind: 3, bytes: [UInt8](repeating: 9, count: 4 * 4 * 3), width: 4, height: 4)

  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    let says: [String]
    let change: @Sendable (inout CImage) -> Void

    init(
      _ description: String, _ code: String = "argument-invalid", says: [String],
      _ change: @escaping @Sendable (inout CImage) -> Void
    ) {
      (testDescription, self.code, self.says, self.change) = (description, code, says, change)
    }
  }

  /// Of one image: in the result.
  static let ofImages = [
    Bad("kind 0", says: ["'kind'", "0"]) { $0.kind = 0 },
    Bad("kind 8", says: ["'kind'", "8"]) { $0.kind = 8 },
    Bad("the least kind", says: ["'kind'"]) { $0.kind = .min },
    Bad("no width", "image-invalid-buffer", says: ["0 × 4"]) { $0.width = 0 },
    Bad("a width below 0", "image-invalid-buffer", says: ["-4 × 4"]) { $0.width = -4 },
    Bad("the most negative height", "image-invalid-buffer", says: ["-2147483648"]) { $0.height = .min },
    Bad("the largest size", "image-invalid-buffer", says: ["2147483647"]) {
      ($0.width, $0.height) = (.max, .max)
    },
    Bad("more memory than there is", "image-invalid-buffer", says: ["48 bytes", "65535 × 65535"]) {
      ($0.width, $0.height) = (65_535, 65_535)
    },
    Bad("a stride that is too short", "image-invalid-buffer", says: ["11 bytes apart", "12…"]) {
      $0.stride = 11
    },
    Bad("a negative stride that is too short", "image-invalid-buffer", says: ["11 bytes apart"]) {
      $0.stride = -11
    },
    Bad("the least stride", "image-invalid-buffer", says: ["bytes apart"]) { $0.stride = .min },
    Bad("the largest stride", "image-invalid-buffer", says: ["bytes apart"]) { $0.stride = .max },
    Bad("a byte too few", "image-invalid-buffer", says: ["47 bytes, 48 expected"]) { $0.length = 47 },
    Bad("a byte too few for a stride", "image-invalid-buffer", says: ["48 bytes, 51 expected"]) {
      $0.stride = 13
    },
    Bad("no length", "image-invalid-buffer", says: ["0 bytes"]) { $0.length = 0 },
    Bad("the largest length", says: ["'length'", "18446744073709551615"]) { $0.length = -1 },
    Bad("orientation 9", says: ["'orientation'", "9"]) { $0.orientation = 9 },
    Bad("orientation -1", says: ["'orientation'", "-1"]) { $0.orientation = -1 },
    Bad("a region of NaN", says: ["'region'", "nan"]) { $0.region = (.nan, 0, 1, 1) },
    Bad("an infinite region", says: ["'region'", "inf"]) { $0.region = (0, 0, .infinity, 1) },
    Bad("a huge region", says: ["'region'"]) { $0.region = (0, 0, 1, 1e300) },
    Bad("a region outside", "option-invalid", says: ["region"]) { $0.region = (4, 4, 2, 2) },
    Bad("a region without width", "option-invalid", says: ["region"]) { $0.region = (1, 1, 0, 2) },
    Bad("a region below 0", "option-invalid", says: ["region"]) { $0.region = (1, 1, -1, -1) },
    Bad("encoded bytes without length", says: ["'length' is 0"]) { ($0.kind, $0.length) = (2, 0) },
    Bad("more encoded bytes than memory has", says: ["'length' is 18446744073709551615"]) {
      ($0.kind, $0.length) = (2, -1)
    },
    Bad("encoded bytes that are not an image", "image-unknown-format", says: []) { $0.kind = 2 },
    Bad("a path with a NUL inside", says: ["NUL"]) { $0 = CImage(kind: 1, bytes: Array("a\0b".utf8)) },
    Bad("a path that is not UTF-8", says: ["UTF-8"]) {
      $0 = CImage(kind: 1, bytes: [0x2f, 0xff, 0xfe, 0], length: 3)
    },
    Bad("an empty path", says: ["the path has 0 bytes"]) { $0 = CImage(kind: 1, bytes: [0], length: 0) },
    Bad("a folder", "image-is-directory", says: []) { $0 = .file("/tmp") },
    Bad("a device", "image-unreadable", says: ["device"]) { $0 = .file("/dev/zero") },
    Bad("a missing file", "image-not-found", says: []) { $0 = .file("/nowhere/a.jpg") },
  ]

  @Test
  func `an image's fault is in its result, with the image's name, and the others are processed`()
    throws
  {
    let analyzer = try CAnalyzer()
    for bad in Self.ofImages {
      var image = Self.pixels
      image.name = "the frame"
      bad.change(&image)
      if image.kind != 1 { image.name = "the frame" }
      let found = try analyzer.find([Self.pixels, image, Self.pixels])
      #expect(found.count == 3)
      #expect(found[0].failure == nil && found[2].failure == nil, "\(bad.testDescription)")
      #expect(found[0].size == PixelSize(width: 4, height: 4))
      let failure = found[1].failure
      #expect(failure?.code == bad.code, "\(bad.testDescription): \(failure.map(String.init) ?? "no error")")
      for text in bad.says {
        #expect(failure?.message.contains(text) == true, "\(bad.testDescription): \(failure?.message ?? "")")
      }
      if image.kind != 1 { #expect(failure?.subject == "the frame", "\(bad.testDescription)") }
      #expect(failure?.remedy.isEmpty == false)
      #expect(found[1].size == PixelSize(width: 0, height: 0) && found[1].objects.isEmpty)
    }
  }

  @Test func `an image without data or name is identified by its number`() throws {
    let analyzer = try CAnalyzer()
    var image = fovea_image()
    image.size = UInt32(MemoryLayout<fovea_image>.size)
    image.kind = 3
    var result: OpaquePointer?
    try CFailure.check(fovea_detect(analyzer.pointer, &image, 1, nil, &result))
    let failure = CFindings.taking(result)[0].failure
    #expect(failure?.message == "'data' is NULL" && failure?.subject == "image 0")
  }

  /// Of the call: the error that the function returns.
  static let sizes: [(UInt32, UInt32, String)] = [
    (0, 0, "'size' of images[0] is 0, 32…4096 expected"), (3, 3, "'size' of images[0] is 3"),
    (1_000_000_000, 88, "'size' of images[0] is 1000000000"), (88, 80, "'size' of images[1] is 80"),
  ]

  @Test(arguments: sizes)
  func `an impossible struct size is an error of the call`(
    _ first: UInt32, _ second: UInt32, _ says: String
  )
    throws
  {
    var images = [Self.pixels, Self.pixels]
    (images[0].size, images[1].size) = (first, second)
    let failure = #expect(throws: CFailure.self) { try CAnalyzer().find(images) }
    #expect(failure?.code == "argument-invalid")
    #expect(failure?.message.hasPrefix(says) == true, "\(failure?.message ?? "")")
  }

  @Test func `NULL for a required argument names the argument`() throws {
    let analyzer = try CAnalyzer()
    var out: OpaquePointer?
    var text: UnsafeMutablePointer<CChar>?
    var columns = fovea_columns()
    columns.size = UInt32(MemoryLayout<fovea_columns>.size)
    var image = fovea_image()
    var call = fovea_call()
    call.size = 32
    call.threads = -1
    var lost = fovea_model()
    lost.size = UInt32(MemoryLayout<fovea_model>.size)
    lost.length = 3
    let rows: [(OpaquePointer?, String)] = [
      (fovea_detector_open(nil, nil, nil), "'out' is NULL"),
      (fovea_labeler_open(nil, nil, nil), "'out' is NULL"),
      (fovea_tracker_open(nil, nil), "'out' is NULL"),
      (fovea_options_new(nil), "'out' is NULL"),
      (fovea_inspect(nil, nil), "'out' is NULL"),
      (fovea_runtime_path(nil), "'out' is NULL"),
      (fovea_runtime_set(nil), "'path' is NULL or empty"),
      (fovea_runtime_set(""), "'path' is NULL or empty"),
      (fovea_detect(nil, &image, 1, nil, &out), "'detector' is NULL"),
      (fovea_label(nil, &image, 1, nil, &out), "'labeler' is NULL"),
      (fovea_label(analyzer.pointer, &image, 1, nil, &out), "'labeler' is a handle of another kind"),
      (fovea_detect(analyzer.pointer, nil, 1, nil, &out), "'images' is NULL, and 'count' is 1"),
      (fovea_detect(analyzer.pointer, &image, 1, nil, nil), "'out' is NULL"),
      (
        fovea_detect(analyzer.pointer, &image, -1, nil, &out),
        "'count' is 18446744073709551615, 0…1000000 expected"
      ),
      (fovea_detect(analyzer.pointer, nil, 0, &call, &out), "'threads' is -1, 0 or more expected"),
      (fovea_options_set(nil, "threshold", "1"), "'options' is NULL"),
      (fovea_mask_bits(nil, 0, 1, 1, nil, 0), "'columns' is NULL"),
      (fovea_mask_text(nil, 0, 1, 1, &text), "'columns' is NULL"),
      (fovea_mask_text(&columns, 0, 1, 1, nil), "'out' is NULL"),
      (fovea_mask_outlines(&columns, 0, nil, 0, nil), "'count' is NULL"),
      (fovea_tracker_update(nil, nil, &columns, 0, &out), "'tracker' is NULL"),
      (
        CModel.bytes([], name: "x").with { fovea_inspect($0, &text) },
        "'length' of fovea_model is 0, 1…2147483647 expected"
      ),
      (fovea_detector_open(&lost, nil, &out), "'length' of fovea_model is 3, without 'bytes'"),
      (
        CModel.embedded("resnet").with { fovea_detector_open($0, nil, &out) },
        "'name' of fovea_model is 'resnet'"
      ),
      (CModel.file("").with { fovea_detector_open($0, nil, &out) }, "'path' of fovea_model is empty"),
    ]
    for (error, message) in rows {
      let failure = CFailure.of(error)
      #expect(failure?.code == "argument-invalid", "\(message)")
      #expect(
        failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "no error"), not \(message)")
    }
    #expect(out == nil && text == nil)
  }

  @Test func `functions that cannot fail do nothing with NULL`() {
    fovea_error_free(nil)
    fovea_options_free(nil)
    fovea_result_free(nil)
    fovea_cancel_free(nil)
    fovea_cancel_set(nil)
    fovea_stream_free(nil)
    fovea_detector_close(nil)
    fovea_labeler_close(nil)
    fovea_tracker_close(nil)
    fovea_tracker_reset(nil)
    fovea_string_free(nil)
    fovea_result_columns(nil, nil)
    #expect(fovea_result_error(nil, 0) == nil)
    #expect(fovea_detector_class_count(nil) == 0 && fovea_detector_class_name(nil, 0) == nil)
    #expect(fovea_labeler_assumption_count(nil) == 0 && fovea_labeler_assumption(nil, 0) == nil)
    #expect(String(cString: fovea_error_code(nil)) == "" && fovea_error_subject(nil) == nil)
  }

  @Test func `no images are an empty result`() throws {
    let analyzer = try CAnalyzer()
    var out: OpaquePointer?
    try CFailure.check(fovea_detect(analyzer.pointer, nil, 0, nil, &out))
    var columns = fovea_columns()
    columns.size = UInt32(MemoryLayout<fovea_columns>.size)
    fovea_result_columns(out, &columns)
    #expect(columns.images == 0 && columns.objects == 0 && columns.object_offsets[0] == 0)
    #expect(fovea_result_error(out, 0) == nil)
    fovea_result_free(out)
  }
}
