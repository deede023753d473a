// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostAnswer.Report.Counts {
  init(_ counts: MetricCounts) {
    let looks = counts.looks.map { look in
      Look(
        units: look.arms.map(\.units), sum: look.arms.map(\.sum), squares: look.arms.map(\.squares),
        weights: look.weights)
    }
    self.init(
      alpha: counts.alpha, planned: counts.planned, kind: counts.kind, weights: counts.weights, looks: looks)
  }

  /// The counts of a metric; their check finds arms without numbers.
  package var metric: MetricCounts {
    let looks = looks.map { look in
      let squares = look.squares ?? (kind == .conversion ? look.sum : [])
      let isWhole = look.units.count == look.sum.count && look.sum.count == squares.count
      let arms = isWhole ? look.units.indices : 0..<0
      return MetricCounts.Look(
        arms: arms.map { ArmSums(units: look.units[$0], sum: look.sum[$0], squares: squares[$0]) },
        weights: look.weights)
    }
    return MetricCounts(alpha: alpha ?? 0.05, planned: planned, kind: kind, weights: weights, looks: looks)
  }

  /// Reads the counts of a file, which a person may have written.
  ///
  /// Ignored, a misspelt `alpha` would count as 0.05, and the `weights` of a look as those before it. A
  /// `name` is for people, and has no effect.
  /// - Throws: `invalid` for text that is not JSON, and with the place of an unknown, repeated, missing or
  ///   malformed member.
  package static func read(_ bytes: [UInt8]) throws(HostError) -> Self {
    let members = BodyMembers(
      CodingKeys.self, ignored: ["name"], inner: [.looks: BodyMembers(Look.CodingKeys.self)])
    try members.check(JSONValue(strict: bytes, name: "it"), whole: "it")
    do throws(JSONFailure) { return try JSONValue.decode(Self.self, from: bytes) } catch {
      throw HostError(.invalid, error.located, remedy: "Correct the text")
    }
  }
}
#endif
