// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A photo with its features.
package struct PhotoFeatures: Sendable, Equatable {
  /// The photo's name in results.
  package var name: ImageName
  /// The numbers of the embedding.
  package var values: [Float]

  /// Creates features.
  package init(name: ImageName, values: [Float]) {
    self.name = name
    self.values = values
  }

  /// The JSON object, on one line without its end.
  package var json: String {
    var json = JSONText(capacity: 12 * values.count + 64)
    json.object { json in
      json.member("image", name.text)
      if let bytes = name.base64 { json.member("imageBytes", bytes) }
      json.key("features")
      // The shortest digits that give the same float32.
      json.array(values) { $0.digits($1.description) }
    }
    return json.text
  }

  /// The line of CSV: the name, then the numbers.
  package var csv: String { CSVFields.line([name.csv] + values.map(\.description)) }

  /// The header line of CSV for features of this length.
  package var csvHeader: String { CSVFields.line(["image"] + values.indices.map(String.init)) }
}
