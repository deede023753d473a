// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting

/// Opens and decodes damaged files of one format, in a separate process.
///
/// `FOVEA_FUZZ_RUNS` is the number of files (default 300), `FOVEA_FUZZ_SEED` the first seed (default 1). With
/// `FOVEA_FUZZ_KEEP=FILE` each file is written there before it is opened, so that a file that crashes the
/// process is kept.
enum ImageFuzz {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The limits of one file: seconds of processor time; and of the whole process: bytes of memory.
  static let maximumSeconds = 5.0
  static let maximumBytes = 1 << 30

  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  static func files(_ format: ImageFormat) -> [[UInt8]] {
    var files = (Fixture.all + Fixture.formats).map(\.bytes).filter { bytes in
      (try? EncodedImage(bytes: bytes, name: "seed"))?.format == format
    }
    if format == .png {
      let numbers = (0..<800).map { UInt8(truncatingIfNeeded: $0) }
      files += [(try? ClassImage.png(numbers, size: PixelSize(width: 40, height: 20))) ?? []]
    }
    if format == .bmp { files += BitmapFile.all.map(\.file.bytes) }
    if format == .tiff {
      let size = PixelSize(width: 40, height: 20)
      files += [true, false].map { isTiled in
        TIFFFile.bytes(size, orientation: 6, littleEndian: isTiled, isTiled: isTiled) { RGB($0, $1, 9) }
      }
    }
    return files
  }

  /// Runs all files and prints a summary, or "failed" and the reason, to standard output, which the parent
  /// process reads.
  static func run(_ format: ImageFormat) {
    do {
      print("done \(try summary(format))")
    } catch {
      print("failed \(error)")
    }
  }

  private static func summary(_ format: ImageFormat) throws -> String {
    let runs = setting("FOVEA_FUZZ_RUNS") ?? 300
    let first = setting("FOVEA_FUZZ_SEED") ?? 1
    let keep = ProcessInfo.processInfo.environment["FOVEA_FUZZ_KEEP"]
    let files = files(format)
    guard !files.isEmpty else { throw Failure(description: "no file to begin with") }
    let silence = try StandardErrorCapture()
    let decoder = ImageDecoder()
    let scratch = TensorScratch()
    var codes: [String: Int] = [:]
    for seed in first..<first + runs {
      var mutator = ByteMutator(seed: UInt64(seed))
      let bytes = mutator.mutated(files)
      if let keep { try Data(bytes).write(to: URL(fileURLWithPath: keep)) }
      // A hang ends the process; on a busy machine only processor time is a fair limit.
      alarm(120)
      let start = FuzzUsage.processorSeconds()
      let code = try open(
        bytes, target: mutator.below(2) == 0, decoder, scratch, "\(format) with seed \(seed)")
      let seconds = FuzzUsage.processorSeconds() - start
      guard seconds < maximumSeconds else {
        throw Failure(description: "\(format) with seed \(seed) takes \(seconds) s")
      }
      codes[code, default: 0] += 1
    }
    alarm(0)
    let output = silence.end()
    let summary = codes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    // libde265 prints errors in HEVC's parameter sets, and dav1d, which libheif 1.15 always uses for the
    // transparency of an AVIF, those in AV1's headers. libheif exposes no switch for either.
    guard output.isEmpty || format == .heic || format == .avif else {
      throw Failure(description: "\(format) prints: \(output)")
    }
    guard FuzzUsage.peakBytes() < maximumBytes else {
      throw Failure(description: "\(format) takes \(FuzzUsage.peakBytes()) bytes")
    }
    return "\(format): \(summary); at most \(FuzzUsage.peakBytes() >> 20) MiB"
  }

  private static func open(
    _ bytes: [UInt8], target: Bool, _ decoder: ImageDecoder, _ scratch: TensorScratch, _ name: String
  ) throws -> String {
    do throws(ImageError) {
      let image = try EncodedImage(bytes: bytes, name: name)
      if image.format == .png { _ = try? ClassImage.numbers(in: image) }
      let size = PixelSize(width: 8, height: 8)
      let decoded = try decoder.decode(image, scaledFor: target ? .atLeast(size) : .full)
      _ = try decoded.tensor(ImageTensorSpec(size: size), scratch: scratch)
      return "ok"
    } catch {
      guard error.subject == name, !error.message.isEmpty, !error.remedy.description.isEmpty else {
        throw Failure(description: "\(name): an error without a reason or remedy: \(error)")
      }
      return error.code.rawValue
    }
  }
}
