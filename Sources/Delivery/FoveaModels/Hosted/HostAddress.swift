// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Where hosted models are: a model host, a web address for each name, or a folder.
///
/// | text | what it is |
/// |---|---|
/// | `https://host/v1beta2/projects/demo/models/{name}:download?key=…` | a host that publishes versions, as `fovea host` does and Firebase ML did: what it reports about a model has its SHA-256, and perhaps a rollout |
/// | `https://models.example/v1/{name}/model.tflite` | an address in which the name takes the place of `{name}` |
/// | `https://models.example/folder`, `file:///folder`, `folder` | a folder, on the web or of this machine, in which a model has the name and `.tflite` |
///
/// `http://` is allowed because it was asked for.
public struct HostAddress: Sendable, Hashable, CustomStringConvertible {
  /// Where one model is.
  enum Place: Sendable, Hashable {
    case web(DownloadAddress)
    case file(String)
    case service(VersionHost)
  }

  /// The variable of the environment that names a host.
  public static let variable = "FOVEA_MODEL_HOST"
  static let placeholder = "{name}"

  /// The address as it was given, with its secrets.
  let text: String
  private let template: String
  private let isFile: Bool

  /// Whether the host publishes versions, with their SHA-256, rollouts and ways back.
  public let publishesVersions: Bool

  /// The address without user name, password and keys.
  public var description: String { DownloadAddress.shown(text) }

  /// Reads the text of an address.
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

  /// The address in the variable `FOVEA_MODEL_HOST`.
  ///
  /// - Returns: nil where it is not set, or blank.
  /// - Throws: `invalidOption` where it is no address.
  public static func fromEnvironment() throws(ModelStoreError) -> HostAddress? {
    guard let text = unlessBlank(Environment.value(variable)) else { return nil }
    return try HostAddress(text)
  }

  /// The text of a host; nil where there is nothing in it but blanks.
  static func unlessBlank(_ text: String?) -> String? {
    text.flatMap { text in text.allSatisfy(\.isWhitespace) ? nil : text }
  }

  /// Where a model is, whose name was checked.
  func place(of name: String) -> Place {
    let place = template.replacing(Self.placeholder, with: name)
    guard !isFile else { return .file(place) }
    let address = DownloadAddress(
      url: place, allowsHTTP: place.lowercased().hasPrefix("http://"), allowsFile: false)
    return publishesVersions
      ? .service(VersionHost(name: name, information: address, template: template)) : .web(address)
  }

  /// Another route of the host's project, with the key of the address.
  /// - Parameter route: The path for a project.
  /// - Returns: nil where it is not the address of a host that publishes versions.
  package func route(_ route: (_ project: Substring) -> String) -> DownloadAddress? {
    guard publishesVersions, let url = VersionHost.route(template, route) else { return nil }
    return DownloadAddress(
      url: url, allowsHTTP: url.lowercased().hasPrefix("http://"), allowsFile: false)
  }

  private static func folder(_ text: String) -> String { text.hasSuffix("/") ? text : text + "/" }

  private static func check(web text: String, _ example: String) throws(ModelStoreError) {
    let lower = text.lowercased()
    let schemes = ["https://", "http://"]
    // A name after '?' is fine where the text says so; after '#' nothing reaches the server.
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
      remedy: "Name one such as https://models.example/folder, https://models.example/{name}/model.tflite, "
        + "file:///folder or a folder, with \(term: .modelHost)")
  }

  /// The error where there is none.
  static func missing(_ name: String) -> ModelStoreError {
    ModelStoreError(
      .hostMissing, "No model host is set, so the model '\(name)' cannot be downloaded",
      remedy: "Set \(term: .modelHost) to an address such as https://models.example/folder, "
        + "file:///folder or a folder that has \(name).tflite")
  }
}
