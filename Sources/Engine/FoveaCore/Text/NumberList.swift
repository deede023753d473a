// SPDX-License-Identifier: Apache-2.0

/// Finite numbers between commas.
package struct NumberList {
  package let values: [Double]

  package init?(_ text: String) {
    var values: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Double(part), value.isFinite else { return nil }
      values.append(value)
    }
    self.values = values
  }
}
