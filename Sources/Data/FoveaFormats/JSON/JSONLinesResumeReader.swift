// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Lines of JSON.
package struct JSONLinesResumeReader: ResumeReader {
  private var scan = ResumeScan()
  package let honorsQuotes = false

  package init() {}

  package mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>) {
    switch parse(line) {
    case .done(let image): scan.done.insert(image)
    case .failed:
      scan.failed += 1
      scan.drop(range)
    case .unreadable:
      scan.unreadable += 1
      scan.drop(range)
    }
  }

  package mutating func finish(whole: Int, length: Int) -> ResumeScan {
    scan.length = length
    scan.drop(whole..<length)
    return scan
  }

  private enum Line { case done(ResumeScan.Image), failed, unreadable }

  /// The decoded part of a line: the image, and which of the other keys exist, regardless of their values.
  private struct Result: Decodable {
    let image: ResumeScan.Image
    let hasFailed: Bool
    let hasResult: Bool
    private enum Key: String, CodingKey { case image, imageBytes, error, objects, labels }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      image = ResumeScan.Image(
        try members.decode(String.self, forKey: .image),
        base64: try members.decodeIfPresent(String.self, forKey: .imageBytes))
      hasFailed = members.contains(.error)
      hasResult = members.contains(.objects) || members.contains(.labels)
    }
  }

  private func parse(_ line: ArraySlice<UInt8>) -> Line {
    guard let result = try? JSONValue.decode(Result.self, from: line), result.hasFailed || result.hasResult
    else {
      return .unreadable
    }
    return result.hasFailed ? .failed : .done(result.image)
  }
}
