// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes

/// The kind of results that a served model has; its name is that of the routes: `/v1/detect`.
package enum ServedTask: String, Sendable, CaseIterable {
  /// Objects with boxes.
  case detect
  /// Labels of whole images.
  case label
  /// Maps of classes.
  case segment
  /// Features of whole images.
  case embed

  /// The words of messages, as in "the model `does`, it does not `do`", "name `model`" and "request
  /// `results`".
  private var words: (does: String, do: String, model: String, results: String) {
    switch self {
    case .detect: ("finds objects", "find objects", "a detector", "objects")
    case .label: ("labels whole images", "label whole images", "a classifier", "labels")
    case .segment: ("finds classes of pixels", "find classes of pixels", "a segmentation model", "maps")
    case .embed: ("computes features", "compute features", "an embedder", "features")
    }
  }

  /// The work of a model, such as "finds objects".
  var work: String { words.does }

  /// A model with this task, such as "a detector".
  var model: String { words.model }

  /// Whether the protocols of other servers have results of this kind.
  var isForClients: Bool { self == .detect || self == .label }

  /// Returns the refusal of a request for this task by a model with another.
  func refusal(by model: ServedModel) -> Refusal {
    var remedy =
      "Name \(words.model), or request \(model.task.words.results); GET /v1/models lists each model's task"
    if self == .embed, model.task == .label {
      remedy += #". For a classifier's features, ask the server's operator to serve it with "task": "embed""#
    }
    return Refusal(
      .badRequest, "task-mismatch",
      "'\(model.name)' \(model.task.work) and does not \(words.do)", remedy: remedy)
  }
}
#endif
