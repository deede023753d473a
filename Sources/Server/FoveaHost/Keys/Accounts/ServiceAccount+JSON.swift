// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ServiceAccount {
  /// Google's file of a service account, on one line.
  package var json: String {
    JSONText.line(capacity: 2_600) { json in
      json.member("type", "service_account")
      json.member("project_id", project)
      json.member("private_key_id", keyID)
      json.member("private_key", privateKey.hasSuffix("\n") ? privateKey : privateKey + "\n")
      json.member("client_email", email)
      json.member("client_id", clientID)
      json.member("token_uri", tokenURI)
      if let universe { json.member("universe_domain", universe) }
    }
  }

  /// Reads such a file; ignores members that are not needed.
  /// - Throws: `invalid` for another kind of file.
  package init(json: [UInt8], name: String) throws(HostError) {
    let file: File
    do throws(JSONFailure) { file = try JSONValue.decode(File.self, from: json) } catch {
      throw Self.noAccount(name, error.reason + (error.path.isEmpty ? "" : " at \(error.path)"))
    }
    guard file.type == "service_account" else {
      throw Self.noAccount(name, "its type is not service_account")
    }
    guard let project = file.project_id, let id = file.private_key_id, let email = file.client_email,
      let key = file.private_key, let uri = file.token_uri
    else {
      throw Self.noAccount(
        name, "project_id, private_key_id, private_key, client_email or token_uri is missing")
    }
    self.init(
      project: project, keyID: id, email: email, clientID: file.client_id ?? "", privateKey: key,
      tokenURI: uri, universe: file.universe_domain)
  }

  private static func noAccount(_ name: String, _ reason: String) -> HostError {
    HostError(
      .invalid, "\(name) is not the file of a service account: \(reason)",
      remedy: "Use a file that the host has written, such as keys/admin.json")
  }

  /// The members as Google names them.
  private struct File: Decodable {
    let type: String?
    let project_id: String?
    let private_key_id: String?
    let private_key: String?
    let client_email: String?
    let client_id: String?
    let token_uri: String?
    let universe_domain: String?
  }
}
#endif
