// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The state of an earlier run's output: the images that are done, and the parts of the file to remove.
package struct ResumeScan: Equatable {
  /// An image as results name it, in few bytes.
  package struct Image: Hashable, ExpressibleByStringLiteral {
    private let text: String

    /// Creates the image named by a CSV column.
    package init(csv: String) { text = csv }
    package init(_ name: ImageName) { text = name.csv }
    package init(stringLiteral value: String) { self.init(ImageName(value)) }
    /// Creates the image with a name and the base64 of its bytes.
    package init(_ text: String, base64: String?) { self.init(ImageName(text: text, base64: base64)) }
  }

  /// The images that have a complete, successful record.
  package var done: Set<Image> = []
  /// The ranges to leave out, in order: failed images (which are tried again), torn and unreadable lines.
  package var dropped: [Range<Int>] = []
  /// The number of dropped records of failed images.
  package var failed = 0
  /// The number of lines that are not results, without an incomplete last line.
  package var unreadable = 0
  /// The length of the file.
  package var length = 0

  package init() {}

  /// Whether nothing is kept, so that the file starts again.
  package var isFresh: Bool { dropped.reduce(0) { $0 + $1.count } == length }

  /// Adds a range to leave out, merged with the previous one if they touch.
  package mutating func drop(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = dropped.last, last.upperBound == range.lowerBound {
      dropped[dropped.count - 1] = last.lowerBound..<range.upperBound
    } else {
      dropped.append(range)
    }
  }

  /// The length to truncate the file to; nil if other parts than its end have to be dropped.
  package var cut: Int? {
    guard let only = dropped.first else { return length }
    return dropped.count == 1 && only.upperBound == length ? only.lowerBound : nil
  }
}

/// Reads a file's lines one by one, and reports the result at the end.
package protocol ResumeReader {
  /// Reads a line with its end; `range` is its range in the file.
  mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>)
  /// Returns the result for a file of `length` bytes whose bytes after `whole` are not a complete line.
  mutating func finish(whole: Int, length: Int) -> ResumeScan
  /// Whether line breaks inside quotes belong to the line.
  var honorsQuotes: Bool { get }
}
