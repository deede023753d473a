// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Photos with what is to know about each: thumbnails as long as there is room for them, then names.
struct PhotoGrid {
  /// One photo.
  struct Item {
    let photo: TrainingPage.Photo
    /// What is known about it, in words for those who do not see it; safe already.
    let words: String
    /// The same, as short as a column is narrow; safe already.
    let lines: [String]
  }

  /// How many thumbnails a page and a part of it may still hold.
  struct Budget {
    /// The most thumbnails of a page.
    static let page = 300
    /// The most bytes of one: ten times as much as 160 pixels need.
    static let bytes = 1 << 16

    private var left = page
    private var leftOfPart = page

    /// Begins a part that has at most `count` thumbnails.
    mutating func begin(_ count: Int) { leftOfPart = min(count, left) }

    /// Takes the place of a thumbnail; nil where there is none left, or the photo has none.
    mutating func take(_ photo: TrainingPage.Photo) -> Thumbnail? {
      guard leftOfPart > 0, let thumbnail = photo.thumbnail, !thumbnail.jpeg.isEmpty,
        thumbnail.jpeg.count <= Self.bytes
      else { return nil }
      left -= 1
      leftOfPart -= 1
      return thumbnail
    }
  }

  private(set) var shown: [String] = []
  private(set) var named: [String] = []

  /// Places items, in their order.
  init(_ items: [Item], _ budget: inout Budget) {
    for item in items {
      if let thumbnail = budget.take(item.photo) {
        shown.append(Self.card(item, thumbnail))
      } else {
        named.append(Self.row(item))
      }
    }
  }

  /// The thumbnails, then the names, which fold away where they are many.
  var html: String {
    let grid = shown.isEmpty ? "" : "<ul class=\"photos\">\n\(shown.joined())</ul>\n"
    guard !named.isEmpty else { return grid }
    let list = "<ul class=\"rows\">\n\(named.joined())</ul>\n"
    guard !shown.isEmpty || named.count > 20 else { return list }
    let more =
      shown.isEmpty
      ? "Show \(ReportNumber.grouped(named.count))" : "\(ReportNumber.grouped(named.count)) more"
    return grid + "<details><summary>\(more)</summary>\n\(list)</details>\n"
  }

  private static func card(_ item: Item, _ thumbnail: Thumbnail) -> String {
    """
    <li><img alt="\(item.words)" width="\(max(1, thumbnail.size.width))" height="\(max(1, thumbnail.size.height))" \
    src="data:image/jpeg;base64,\(Base64.encode(thumbnail.jpeg))">\
    <span class="name">\(name(item))</span>\(item.lines.map { "<span>\($0)</span>" }.joined())</li>

    """
  }

  private static func row(_ item: Item) -> String {
    "<li><span>\(name(item))</span> <span class=\"about\">\(item.lines.joined(separator: " · "))</span></li>\n"
  }

  private static func name(_ item: Item) -> String {
    "<bdi>\(ReportText.escaped(item.photo.name, limit: 200))</bdi>"
  }
}
