// SPDX-License-Identifier: Apache-2.0
#if Server
/// The bodies of requests to the host's own routes: commands write them, routes read them.
enum HostRequest {
  /// The version of a model for a channel, or of a template to publish again.
  struct Version: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case version }
    static let members = NativeMembers(CodingKeys.self)
    var version: Int
  }

  /// A rollout's version and share in percent, or its end.
  struct Rollout: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case version, percent, halt, finish }
    static let members = NativeMembers(CodingKeys.self)
    var version: Int?
    var percent: Double?
    var halt: Bool?
    var finish: Bool?
  }

  /// The channel to roll back; `stable` by default.
  struct Rollback: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case channel }
    static let members = NativeMembers(CodingKeys.self)
    var channel: String?
  }

  /// A key to create.
  struct Key: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case role, label, expires, universe }
    static let members = NativeMembers(CodingKeys.self)
    var role: String
    var label: String?
    var expires: String?
    var universe: String?
  }

  /// The weights of an experiment's variants, in their order.
  struct Weights: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case weights }
    static let members = NativeMembers(CodingKeys.self)
    var weights: [Int]
  }

  /// A test device and its variant; nil for the assigned one.
  struct Override: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case unit, variant }
    static let members = NativeMembers(CodingKeys.self)
    var unit: String
    var variant: String?
  }

  /// The variant that everyone gets.
  struct Winner: NativeBody, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case variant }
    static let members = NativeMembers(CodingKeys.self)
    var variant: String
  }
}

extension ExperimentDraft: NativeBody {
  static let members = NativeMembers(
    CodingKeys.self,
    inner: [
      .variants: NativeMembers(Variant.CodingKeys.self), .metric: NativeMembers(Metric.CodingKeys.self),
    ])
}
#endif
