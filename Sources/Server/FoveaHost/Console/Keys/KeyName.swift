// SPDX-License-Identifier: Apache-2.0
#if Server
/// The short name of a key.
enum KeyName {
  /// Returns the part before the `@` of a service account, such as `admin-1a2b`; any other name unchanged.
  static func short(_ name: String) -> String {
    name.hasSuffix(".iam.gserviceaccount.com") ? String(name.prefix { $0 != "@" }) : name
  }
}
#endif
