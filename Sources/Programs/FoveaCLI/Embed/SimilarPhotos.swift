// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// Writes the most similar photos of each query.
final class SimilarPhotos: FeatureConsumer {
  private let names: [ImageName]
  private let index: EmbeddingIndex
  /// The file or folder of the photos.
  private let source: String
  /// The maximum number of photos of a query; nil for all.
  private let top: Int?
  /// The minimum similarity of near duplicates; nil for the nearest photos.
  private let duplicates: Float?
  /// The format; nil for text.
  private let format: FeatureFormat?
  private let file: OutputFile
  /// The rows of each photo: a query is not compared to itself.
  private var rows: [FileStatus.Identity: Set<Int>] = [:]
  private var rowsByName: [ImageName: Set<Int>] = [:]
  /// The rows of earlier queries: each pair of near duplicates is written once.
  private var done: Set<Int> = []
  private var hasHeader = false

  /// Creates the search.
  /// - Throws: `features-invalid`.
  init(
    _ photos: [PhotoFeatures], from source: String, top: Int?, duplicates: Float?, format: FeatureFormat?,
    to file: OutputFile
  ) throws(FoveaError) {
    names = photos.map(\.name)
    self.source = source
    self.top = top
    self.duplicates = duplicates
    self.format = format
    self.file = file
    index = try FeatureFile.index(of: photos, from: source)
    for (row, photo) in photos.enumerated() {
      rowsByName[photo.name, default: []].insert(row)
      if let identity = FileStatus(FilePath(photo.name.text))?.identity {
        rows[identity, default: []].insert(row)
      }
    }
  }

  func take(_ photo: PhotoFeatures) throws(FeatureFailure) {
    var own = rowsByName[photo.name] ?? []
    if let identity = FileStatus(FilePath(photo.name.text))?.identity { own.formUnion(rows[identity] ?? []) }
    let matches: [EmbeddingIndex.Match]
    do throws(EmbeddingIndex.Problem) {
      matches = try index.matches(
        of: photo.values, limit: top, atLeast: duplicates ?? -1,
        excluding: duplicates == nil ? own : own.union(done))
    } catch {
      // All queries have the length of the model's features, so none can be compared.
      if case .length(let count) = error {
        throw .output(
          .failed(
            FeatureFile.invalid(
              source,
              "its features have \(index.dimension) numbers, those of '\(photo.name.text.printable)' \(count)"
            )))
      }
      throw .photo(FeatureFile.invalid(photo.name.text, "the features \(error.words(index.dimension))"))
    }
    if duplicates != nil { done.formUnion(own) }
    let found = matches.map {
      (name: names[$0.index], similarity: DecimalText.fixed(Double($0.similarity), places: 4))
    }
    // Without near duplicates there is nothing to print for people; programs get a line for each photo.
    if format == nil, duplicates != nil, found.isEmpty { return }
    do throws(OutputFile.Failure) { try file.write(text(of: photo.name, found)) } catch {
      throw .output(error)
    }
  }

  func finish() throws(FeatureFailure) {
    do throws(OutputFile.Failure) { try file.finish() } catch { throw .output(error) }
  }

  private func text(of query: ImageName, _ found: [(name: ImageName, similarity: String)]) -> String {
    switch format {
    case .csv, .npy:
      defer { hasHeader = true }
      let header = hasHeader ? "" : CSVFields.line(["image", "rank", "similarity", "similar"])
      return found.enumerated().reduce(header) { text, match in
        text
          + CSVFields.line([
            query.csv, String(match.offset + 1), match.element.similarity, match.element.name.csv,
          ])
      }
    case .jsonl:
      return JSONText.line { json in
        json.member("image", query.text)
        if let bytes = query.base64 { json.member("imageBytes", bytes) }
        json.objects("similar", found) { json, match in
          json.member("image", match.name.text)
          if let bytes = match.name.base64 { json.member("imageBytes", bytes) }
          json.key("similarity")
          json.digits(match.similarity)
        }
      }
    case nil:
      return query.text.printable + "\n"
        + found.map { "  \($0.similarity)  \($0.name.text.printable)\n" }.joined()
    }
  }
}
