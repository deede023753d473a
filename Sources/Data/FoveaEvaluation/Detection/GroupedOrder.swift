// SPDX-License-Identifier: Apache-2.0

/// Rows sorted by group, and within a group in their original order.
struct GroupedOrder {
  /// The indices of the rows, group by group.
  let order: [Int32]
  /// The group of each row, in the order of `order`.
  private let keys: [Int]

  /// Groups rows by category and then by image; the group's number is category × images + image.
  ///
  /// Uses two counting sorts, the finer key first: time and memory grow with the rows, images and categories,
  /// not with the number of groups.
  init(images: [Int32], imageCount: Int, categories: [Int32], categoryCount: Int) {
    let byImage = GroupedOrder.sorted(GroupedOrder.all(images.count), by: images, count: imageCount)
    let order = GroupedOrder.sorted(byImage, by: categories, count: categoryCount)
    self.order = order
    keys = order.map { Int(categories[Int($0)]) * imageCount + Int(images[Int($0)]) }
  }

  /// Groups rows by image, those of one image ordered by category; the group's number is the image.
  init(images: [Int32], imageCount: Int, thenCategories categories: [Int32], categoryCount: Int) {
    let byCategory = GroupedOrder.sorted(GroupedOrder.all(images.count), by: categories, count: categoryCount)
    let order = GroupedOrder.sorted(byCategory, by: images, count: imageCount)
    self.order = order
    keys = order.map { Int(images[Int($0)]) }
  }

  private static func all(_ count: Int) -> [Int32] { (0..<count).map { Int32(truncatingIfNeeded: $0) } }

  private static func sorted(_ rows: [Int32], by keys: [Int32], count: Int) -> [Int32] {
    var starts = [Int](repeating: 0, count: count + 1)
    for row in rows { starts[Int(keys[Int(row)]) + 1] += 1 }
    for key in 0..<count { starts[key + 1] += starts[key] }
    var sorted = [Int32](repeating: 0, count: rows.count)
    for row in rows {
      let key = Int(keys[Int(row)])
      sorted[starts[key]] = row
      starts[key] += 1
    }
    return sorted
  }

  /// Iterates over the groups in rising order.
  struct Cursor {
    fileprivate let keys: [Int]
    private var next = 0

    fileprivate init(keys: [Int]) { self.keys = keys }

    /// Returns the range of a group in `order`; groups must be requested in rising order.
    mutating func take(_ key: Int) -> Range<Int> {
      let start = next
      while next < keys.count, keys[next] == key { next += 1 }
      return start..<next
    }
  }

  func makeCursor() -> Cursor { Cursor(keys: keys) }
}
