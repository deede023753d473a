// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Testing

/// Damaged files of each format: an error with a reason and a remedy, or an image; never a crash, more than 5
/// s or more than 1 GiB, and nothing on standard error.
///
/// A few hundred each by default; `FOVEA_FUZZ_RUNS=100000 swift test --filter ImageFuzzTests` for the long
/// run. The seeds are fixed: a failure is reproducible.
@Suite(.serialized) struct ImageFuzzTests {
  @Test func `damaged JPEG files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.jpeg)
    }
    report(result)
  }

  @Test func `damaged PNG files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.png)
    }
    report(result)
  }

  @Test func `damaged WebP files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.webp)
    }
    report(result)
  }

  @Test func `damaged GIF files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.gif)
    }
    report(result)
  }

  @Test func `damaged BMP files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.bmp)
    }
    report(result)
  }

  @Test func `damaged TIFF files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.tiff)
    }
    report(result)
  }

  @Test func `damaged HEIC files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.heic)
    }
    report(result)
  }

  @Test func `damaged AVIF files`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      ImageFuzz.run(.avif)
    }
    report(result)
  }

  private func report(_ result: ExitTest.Result?) {
    // Without a result the process ended by itself, which already is a failure.
    guard let result else { return }
    let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
    let last = lines.last { $0.hasPrefix("done ") || $0.hasPrefix("failed ") }
    #expect(last?.hasPrefix("done ") == true, "\(last ?? "no summary")")
    if let last { print(last) }
  }
}
