// SPDX-License-Identifier: Apache-2.0

/// The addresses of a host that publishes versions, for one model.
struct VersionHost: Sendable, Hashable {
  private static let method = HostAddress.placeholder + ":download"
  private static let collection = "/v1beta2/projects/"

  let name: String
  /// The address of the model's information.
  let information: DownloadAddress
  /// The address for load reports; nil for a host whose address has a different form.
  let reports: DownloadAddress?

  init(name: String, information: DownloadAddress, template: String) {
    self.name = name
    self.information = information
    reports = Self.reports(template).map {
      DownloadAddress(url: $0, allowsHTTP: information.allowsHTTP, allowsFile: false)
    }
  }

  /// Returns whether an address is one for information instead of a file.
  static func isMeant(by text: String) -> Bool { text.prefix { $0 != "?" }.hasSuffix("/" + method) }

  private static func reports(_ template: String) -> String? {
    route(template) { "/v1/host/projects/\($0)/reports" }
  }

  /// Returns another route of the host, with the key of the address.
  /// - Parameters:
  ///   - template: The text of the address.
  ///   - route: Returns the path for a project.
  /// - Returns: nil for an address of another form.
  static func route(_ template: String, _ route: (_ project: Substring) -> String) -> String? {
    let path = template.prefix { $0 != "?" }
    guard let base = path.firstRange(of: collection), path.hasSuffix("/models/" + method) else { return nil }
    let project = path[base.upperBound...].dropLast("/models/\(method)".count)
    guard !project.isEmpty, !project.contains("/") else { return nil }
    return path[..<base.lowerBound] + route(project) + template[path.endIndex...]
  }

  /// Returns the address of a file that the host names.
  /// - Returns: nil if it is not a web address, or is unencrypted although the host is encrypted.
  func address(ofFile text: String) -> DownloadAddress? {
    let lower = text.lowercased()
    let allowsHTTP = information.allowsHTTP && lower.hasPrefix("http://")
    guard allowsHTTP || lower.hasPrefix("https://"), DownloadAddress.isPlain(text),
      let start = text.firstRange(of: "://")?.upperBound,
      let first = text[start...].first, !["/", "?", "#"].contains(first)
    else { return nil }
    return DownloadAddress(url: text, allowsHTTP: allowsHTTP, allowsFile: false)
  }
}
