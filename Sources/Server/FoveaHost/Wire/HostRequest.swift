// SPDX-License-Identifier: Apache-2.0
#if Server
/// The bodies of requests to the host's own routes: commands write them, routes read them.
enum HostRequest {
  /// The version of a model for a channel, or of a template to publish again.
  struct Version: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case version }
    static let members = BodyMembers(CodingKeys.self)
    var version: Int
  }

  /// A rollout's version and share in percent, or its end.
  struct Rollout: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case version, percent, halt, finish }
    static let members = BodyMembers(CodingKeys.self)
    var version: Int?
    var percent: Double?
    var halt: Bool?
    var finish: Bool?
  }

  /// The channel to roll back; `stable` by default.
  struct Rollback: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case channel }
    static let members = BodyMembers(CodingKeys.self)
    var channel: String?
  }

  /// A key to create.
  struct Key: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case role, label, expires, universe }
    static let members = BodyMembers(CodingKeys.self)
    var role: String
    var label: String?
    var expires: String?
    var universe: String?
  }

  /// The weights of an experiment's variants, in their order.
  struct Weights: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case weights }
    static let members = BodyMembers(CodingKeys.self)
    var weights: [Int]
  }

  /// A test device and its variant; nil for the assigned one.
  struct Override: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case unit, variant }
    static let members = BodyMembers(CodingKeys.self)
    var unit: String
    var variant: String?
  }

  /// The variant that everyone gets.
  struct Winner: CheckedBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case variant }
    static let members = BodyMembers(CodingKeys.self)
    var variant: String
  }
}

extension ExperimentDraft: CheckedBody {
  static let members = BodyMembers(
    CodingKeys.self,
    inner: [
      .variants: BodyMembers(Variant.CodingKeys.self), .metric: BodyMembers(Metric.CodingKeys.self),
    ])
}
#endif
