// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What an earlier run left in its output: which images are done, and which parts of the file must go.
package struct ResumeScan: Equatable {
  /// An image as results name it, in few bytes.
  package struct Picture: Hashable, ExpressibleByStringLiteral {
    private let text: String

    /// The image that a column of CSV names.
    package init(csv: String) { text = csv }
    package init(_ name: ImageName) { text = name.csv }
    package init(stringLiteral value: String) { self.init(ImageName(value)) }
    /// The image of a name and the base64 of its bytes.
    package init(_ text: String, base64: String?) { self.init(ImageName(text: text, base64: base64)) }
  }

  /// The images that have a whole, successful record.
  package var done: Set<Picture> = []
  /// Bytes to leave out, in order: failed images (they are tried again), torn and unreadable lines.
  package var dropped: [Range<Int>] = []
  /// How many records of failed images are dropped.
  package var failed = 0
  /// How many lines were no results; a last line without its end is not among them.
  package var unreadable = 0
  /// The length of the file.
  package var length = 0

  package init() {}

  /// Whether nothing is kept, so that the file begins again.
  package var isFresh: Bool { dropped.reduce(0) { $0 + $1.count } == length }

  /// Marks bytes to be left out, joined with the ones before where they touch.
  package mutating func drop(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = dropped.last, last.upperBound == range.lowerBound {
      dropped[dropped.count - 1] = last.lowerBound..<range.upperBound
    } else {
      dropped.append(range)
    }
  }

  /// Where the file can be cut when nothing but its end must go; nil where more must.
  package var cut: Int? {
    guard let only = dropped.first else { return length }
    return dropped.count == 1 && only.upperBound == length ? only.lowerBound : nil
  }
}

/// Takes a file's lines one by one and says at the end what they were.
package protocol ResumeReader {
  /// A line with its end, and where it lies in the file.
  mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>)
  /// The result for a file of `length` bytes of which those after `whole` are no whole line.
  mutating func finish(whole: Int, length: Int) -> ResumeScan
  /// Whether line breaks inside quotes belong to the line.
  var honorsQuotes: Bool { get }
}
