// SPDX-License-Identifier: Apache-2.0
#if Server
/// A requested experiment, not yet checked.
package struct ExperimentDraft: Sendable, Decodable, Equatable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, unit, model, variants, condition, metric, planned, layer, share, holdout, draft
  }

  package struct Variant: Sendable, Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable { case id, weight, version, parameters }

    /// Nil for `a`, `b`, `c` and so on, by position.
    package var id: String?
    package var weight: Int?
    package var version: Int?
    package var parameters: [String: String]?

    package init(
      id: String? = nil, weight: Int? = nil, version: Int? = nil, parameters: [String: String]? = nil
    ) {
      self.id = id
      self.weight = weight
      self.version = version
      self.parameters = parameters
    }
  }

  package struct Metric: Sendable, Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, kind, window }

    package var name: String
    /// `conversion` by default.
    package var kind: String?
    /// In seconds; a day by default.
    package var window: Double?

    package init(name: String, kind: String? = nil, window: Double? = nil) {
      self.name = name
      self.kind = kind
      self.window = window
    }
  }

  package var id: String
  /// `installation` by default.
  package var unit: String?
  /// The name or id of a model.
  package var model: String?
  package var variants: [Variant]
  package var condition: String?
  package var metric: Metric
  /// 10,000 by default.
  package var planned: Int?
  package var layer: String?
  /// The share of the units that take part, in percent; all by default.
  package var share: Double?
  /// The share of the layer that belongs to no experiment, in percent.
  package var holdout: Double?
  /// Whether it waits until it is resumed.
  package var draft: Bool?

  package init(id: String, variants: [Variant], metric: Metric) {
    self.id = id
    self.variants = variants
    self.metric = metric
  }
}
#endif
