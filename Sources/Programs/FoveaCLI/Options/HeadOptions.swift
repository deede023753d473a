// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTraining

/// The backbone and the training of the head.
struct HeadOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Classifier used as backbone: a name, a file, or auto to try the installed ones.",
      valueName: "name"))
  var backbone = "auto"

  @Option(
    help: ArgumentHelp(
      "Layer at which the backbone is cut: pool, last, or a tensor's name (default: pool).",
      valueName: "name", visibility: .hidden), transform: ChoiceArgument.layer)
  var layer = ImageEmbedder.Options.Layer.pool

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Folds of the cross-validation.", valueName: "n", visibility: .hidden))
  var folds = 5

  @Option(
    name: .customLong("l2"), parsing: .unconditional,
    help: ArgumentHelp(
      "Strength of the L2 regularization (default: chosen by cross-validation).", valueName: "x",
      visibility: .hidden))
  var strength: Double?

  @Option(
    help: ArgumentHelp(
      "Arithmetic of the head: auto, float or int8.", valueName: "name", visibility: .hidden),
    transform: ChoiceArgument.value)
  var head = LabelTrainer.Options.Head.auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Target precision, such as 0.95; uncertain photos get no label.", valueName: "p"))
  var precision: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum confidence of a label (default: maximizes F1).", valueName: "s"))
  var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "Expected class frequencies: uniform, or data (as in the photos).", valueName: "name",
      visibility: .hidden), transform: ChoiceArgument.value)
  var prior = LabelTrainer.Options.Prior.uniform

  @Flag(
    help: ArgumentHelp(
      "Also train on mirrored photos; not for text, signs, or left and right.", visibility: .hidden))
  var flip = false

  @Flag(help: ArgumentHelp("Allow several labels per photo.", visibility: .hidden))
  var multiLabel = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed for splitting the photos into folds.", valueName: "n", visibility: .hidden))
  var seed: UInt64 = 0

  func validate() throws {
    if backbone.isEmpty { throw ValidationError("--backbone needs the name of a model or file.") }
    if !(2...50).contains(folds) { throw ValidationError("--folds must be 2 to 50, got \(folds).") }
    if let strength, !(strength > 0 && strength.isFinite) {
      throw ValidationError("--l2 must be above 0, got \(strength).")
    }
    if let precision, !(precision > 0 && precision <= 1) {
      throw ValidationError("--precision must be above 0 and at most 1, got \(precision).")
    }
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold must be between 0 and 1, got \(threshold).")
    }
    if threshold != nil, precision != nil {
      throw ValidationError("--threshold and --precision both set the threshold; give one of them.")
    }
  }

  /// Applies these options to those of a trainer.
  func apply(to options: inout LabelTrainer.Options) throws(FoveaError) {
    options.backbones = try BackboneLookup.backbones(backbone)
    options.layer = layer
    options.folds = folds
    options.strength = strength
    options.head = head
    options.precision = precision
    options.threshold = threshold
    options.prior = prior
    options.learnsMirrored = flip
    if multiLabel { options.isMultiLabel = true }
    options.seed = seed
  }
}
