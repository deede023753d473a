// SPDX-License-Identifier: Apache-2.0
#if Server
/// The name of a key for people.
enum KeyName {
  /// What is before the `@` of a service account, as `admin-1a2b`; any other name as it is.
  static func short(_ name: String) -> String {
    name.hasSuffix(".iam.gserviceaccount.com") ? String(name.prefix { $0 != "@" }) : name
  }
}
#endif
