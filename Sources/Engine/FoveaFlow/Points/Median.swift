// SPDX-License-Identifier: Apache-2.0

/// The median of a few numbers.
enum Median {
  /// Sorts the numbers in place, without memory, and gives the median.
  /// - Parameter numbers: At least one, none of them not a number.
  /// - Returns: The middle number, or the mean of the two in the middle.
  /// - Complexity: O(n²): for at most some hundred numbers.
  static func sorting(_ numbers: inout [Double]) -> Double {
    for index in numbers.indices.dropFirst() {
      let number = numbers[index]
      var place = index
      while place > 0, numbers[place - 1] > number {
        numbers[place] = numbers[place - 1]
        place -= 1
      }
      numbers[place] = number
    }
    let middle = numbers.count / 2
    return numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2
  }
}
