// SPDX-License-Identifier: Apache-2.0
#if Server
  package import FoveaHTTP
  internal import FoveaModels
  internal import HTTPTypes

  /// The models of a server, by name.
  package struct ModelRegistry: Sendable {
    /// All, in the order in which they were given; the first answers where a call names none.
    package let models: [ServedModel]

    package init(_ models: [ServedModel]) { self.models = models }

    /// The model of that name; the first where none is given.
    /// - Throws: A refusal that names the nearest.
    package func model(_ name: String?) throws(Refusal) -> ServedModel {
      guard let name else {
        guard let model = models.first else { throw ModelRegistry.unknown("default", near: nil) }
        return model
      }
      if let model = models.first(where: { $0.name == name }) { return model }
      throw ModelRegistry.unknown(
        name, near: NameDistance.nearest(to: name, among: models.map(\.name)).first)
    }

    private static func unknown(_ name: String, near: String?) -> Refusal {
      let remedy = near.map { "Did you mean '\($0)'? " } ?? ""
      return Refusal(
        .notFound, "model-unknown", "There is no model '\(name.prefix(80))'",
        remedy: remedy + "GET /v1/models lists them")
    }
  }
#endif
