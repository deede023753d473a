// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The location of hosted models: a model host, a web address for each name, or a folder.
///
/// - `https://host/v1beta2/projects/demo/models/{name}:download?key=…`: a host that publishes versions with
///   SHA-256 and rollouts, as `fovea host` does and Firebase ML did.
/// - `https://models.example/v1/{name}/model.tflite`: an address in which the name replaces `{name}`.
/// - `https://models.example/folder`, `file:///folder`, `folder`: a folder, on the web or local, with the
///   files `{name}.tflite`.
///
/// `http://` is allowed because the caller names it explicitly.
public struct HostAddress: Sendable, Hashable, CustomStringConvertible {
  /// The location of one model.
  enum Place: Sendable, Hashable {
    case web(DownloadAddress)
    case file(String)
    case service(VersionHost)
  }

  /// The environment variable that sets a host.
  public static let variable = "FOVEA_MODEL_HOST"
  static let placeholder = "{name}"

  /// The address as it was given, with its secrets.
  let text: String
  private let template: String
  private let isFile: Bool

  /// Whether the host publishes versions, with SHA-256, rollouts and rollbacks.
  package let publishesVersions: Bool

  /// The address without user name, password and keys.
  public var description: String { DownloadAddress.shown(text) }

  /// Parses an address.
  ///
  /// - Parameter text: `https://…`, `http://…`, `file:///…` or a path.
  /// - Throws: `invalidOption`.
  public init(_ text: String) throws(ModelStoreError) {
    self.text = text
    isFile = !text.contains("://") || text.lowercased().hasPrefix("file:///")
    publishesVersions = !isFile && VersionHost.isMeant(by: text)
    let whole = text.contains(Self.placeholder) ? text : Self.folder(text) + Self.placeholder + ".tflite"
    guard isFile else {
      try Self.check(web: text, whole.replacing(Self.placeholder, with: "name"))
      template = whole
      return
    }
    guard text.contains("://") else {
      guard !text.isEmpty, !text.utf8.contains(0) else { throw Self.invalid(text) }
      template = whole
      return
    }
    guard let path = PercentText.decode(whole.dropFirst("file://".count)), !path.utf8.contains(0) else {
      throw Self.invalid(text)
    }
    template = path
  }

  /// Returns the address in the environment variable `FOVEA_MODEL_HOST`.
  ///
  /// - Returns: nil if it is not set, or blank.
  /// - Throws: `invalidOption` if it is not an address.
  public static func fromEnvironment() throws(ModelStoreError) -> HostAddress? {
    guard let text = unlessBlank(Environment.value(variable)) else { return nil }
    return try HostAddress(text)
  }

  /// Returns the text; nil if it is nil or blank.
  static func unlessBlank(_ text: String?) -> String? {
    text.flatMap { text in text.allSatisfy(\.isWhitespace) ? nil : text }
  }

  /// Returns the location of a model, whose name was checked.
  func place(of name: String) -> Place {
    let place = template.replacing(Self.placeholder, with: name)
    guard !isFile else { return .file(place) }
    let address = DownloadAddress(
      url: place, allowsHTTP: place.lowercased().hasPrefix("http://"), allowsFile: false)
    return publishesVersions
      ? .service(VersionHost(name: name, information: address, template: template)) : .web(address)
  }

  /// Returns another route of the host's project, with the key of the address.
  /// - Parameter route: Returns the path for a project.
  /// - Returns: nil if the host does not publish versions.
  package func route(_ route: (_ project: Substring) -> String) -> DownloadAddress? {
    guard publishesVersions, let url = VersionHost.route(template, route) else { return nil }
    return DownloadAddress(
      url: url, allowsHTTP: url.lowercased().hasPrefix("http://"), allowsFile: false)
  }

  private static func folder(_ text: String) -> String { text.hasSuffix("/") ? text : text + "/" }

  private static func check(web text: String, _ example: String) throws(ModelStoreError) {
    let lower = text.lowercased()
    let schemes = ["https://", "http://"]
    // A name after '?' is fine if the text has the placeholder there; a part after '#' never reaches the
    // server.
    guard let scheme = schemes.first(where: { lower.hasPrefix($0) }), DownloadAddress.isPlain(example),
      !["/", "?", "#", "{"].contains(where: { lower.dropFirst(scheme.count).hasPrefix($0) }),
      lower.utf8.count > scheme.utf8.count, !text.contains("#"), !example.contains("{"),
      !example.contains("}"),
      text.contains(placeholder) || !text.contains("?")
    else { throw invalid(text) }
  }

  private static func invalid(_ text: String) -> ModelStoreError {
    ModelStoreError(
      .invalidOption, "'\(DownloadAddress.shown(text))' is not the address of a model host",
      remedy: "Use an address such as https://models.example/folder, "
        + "https://models.example/{name}/model.tflite, file:///folder or a folder, with \(term: .modelHost)")
  }

  /// Returns the error for a missing host.
  static func missing(_ name: String) -> ModelStoreError {
    ModelStoreError(
      .hostMissing, "No model host is set, so the model '\(name)' cannot be downloaded",
      remedy: "Set \(term: .modelHost) to an address such as https://models.example/folder, "
        + "file:///folder or a folder that has \(name).tflite")
  }
}
