// SPDX-License-Identifier: Apache-2.0

package import FoveaRuntime

/// The family nearest to a model that belongs to none, and the rule that the model breaks.
package struct NearestFamily: Sendable, Hashable {
  /// The family.
  package var family: DetectorFamily
  /// The difference, as a clause: "there are 2 outputs".
  package var difference: String
  /// The next step for the user.
  package var remedy: Advice

  init(_ family: DetectorFamily, _ difference: String, remedy: Advice? = nil) {
    self.family = family
    self.difference = difference
    self.remedy = remedy ?? "Export the model with one of the output layouts that \(term: .inspect) lists"
  }

  /// Finds the family nearest to the tensors of a model that belongs to no family.
  package init(to signature: ModelSignature) {
    for family in DetectorFamily.all {
      guard let nearest = family.nearest(signature) else { continue }
      self = nearest
      return
    }
    // Nothing is similar: name the family of most exports.
    let outputs = signature.outputs
    let isLabels =
      outputs.count == 1 && outputs[0].shape.count > 1 && outputs[0].shape.dropLast().allSatisfy { $0 == 1 }
    self.init(
      .ssdPostProcess, outputs.count == 1 ? "there is 1 output" : "there are \(outputs.count) outputs",
      remedy: isLabels ? "Use \(term: .labeler) for a classifier" : nil)
  }
}
