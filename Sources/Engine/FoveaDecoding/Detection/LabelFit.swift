// SPDX-License-Identifier: Apache-2.0

/// How many labels the models of a family take, where their outputs fix the number of classes.
package enum LabelFit: Sendable {
  /// One for each class.
  case oneForEach
  /// One for each class, and one more if it is the background's.
  case oneForEachOrBackground
  /// One for each class, where the outputs fix how many there are.
  case atLeast
}
