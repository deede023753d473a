// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaImage
import FoveaCore

extension InferenceOptions {
  /// Returns a summary of the configuration as a line of JSON, without source addresses, which may contain
  /// passwords.
  /// - Parameters:
  ///   - entries: The models.
  ///   - isSecure: Whether it listens with TLS, including a self-signed certificate created only at startup.
  /// - Returns: The line, including its newline.
  package func summary(of entries: [ModelEntry], isSecure: Bool) -> String {
    JSONText.line { json in
      json.member("listen", "\(server.host):\(server.port)")
      if let admin = server.admin { json.member("admin", admin.description) }
      json.member("tls", isSecure)
      if let keys { json.member("keys", keys) }
      json.member("slots", slots)
      json.member("formats", formats.map(\.rawValue).sorted())
      json.member("protocols", protocols.map(\.name).sorted())
      if let modelFolder { json.member("modelFolder", modelFolder) }
      json.objects("models", entries) { json, entry in
        json.member("name", entry.name)
        json.member("place", entry.place)
        json.member("pinned", entry.settings.isPinned)
        if let task = entry.settings.task { json.member("task", task.rawValue) }
      }
      json.member("sources", sources.map(\.name))
      if let folder = events?.folder { json.member("events", folder) }
      if !webhooks.isEmpty { json.member("webhooks", webhooks.map(\.name)) }
      if let mqtt { json.member("mqtt", mqtt.address.description) }
    }
  }
}
#endif
