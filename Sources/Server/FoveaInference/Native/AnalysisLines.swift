// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// The lines of images whose answer has begun.
///
/// Its status is sent: what refuses the rest, as a deadline, is the error of each image that has no line yet.
struct AnalysisLines {
  private var pieces: AsyncThrowingStream<InferenceCaller.Piece, any Error>.Iterator
  /// The names of the images that have no line.
  private var rest: ArraySlice<String>
  private var refusal: Refusal?

  /// Makes the lines of what comes of images, in their order, with the images' names.
  init(_ pieces: AsyncThrowingStream<InferenceCaller.Piece, any Error>, of names: [String]) {
    self.pieces = pieces.makeAsyncIterator()
    rest = names[...]
  }

  /// The next line; nil after the last.
  /// - Throws: `CancellationError` where the client has left, and what else no image can have as its error.
  mutating func next() async throws -> String? {
    if refusal == nil {
      do {
        if let piece = try await pieces.next(isolation: #isolation) {
          rest = rest.dropFirst()
          return AnalysisReply.json(piece)
        }
        // A stream ends early where its reader is cancelled.
        guard rest.isEmpty else { throw CancellationError() }
      } catch let error as Refusal { refusal = error }
    }
    guard let refusal, let name = rest.popFirst() else { return nil }
    return AnalysisLines.line(refusal, of: name)
  }

  private static func line(_ refusal: Refusal, of name: String) -> String {
    JSONText.line { json in
      json.member("image", name)
      json.member("error", refusal)
    }
  }
}
#endif
