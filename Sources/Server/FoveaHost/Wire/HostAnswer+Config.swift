// SPDX-License-Identifier: Apache-2.0
#if Server
extension HostAnswer {
  /// A template, without its content.
  package struct Config: Sendable, Decodable, Equatable {
    package let namespace: String
    package let version: Int
    package let etag: String
  }

  /// The outcome of a publish of a template.
  package struct PublishedConfig: Sendable, Decodable, Equatable {
    package let namespace: String
    /// 0 if it was only checked.
    package let version: Int
    package let etag: String
    package let parameters: ConfigChange.Names
    package let conditions: ConfigChange.Names
    /// The groups of parameters; nil from older hosts.
    package let groups: ConfigChange.Names?
    package let reordered: Bool
    package let notes: [String]

    /// Whether the template differs from the one in force.
    package var changesAnything: Bool {
      reordered || [parameters, conditions, groups].contains { $0?.isEmpty == false }
    }
  }

  /// The versions of a template, latest first.
  package struct ConfigVersions: Sendable, Decodable, Equatable {
    package struct Version: Sendable, Decodable, Equatable {
      package let version: Int
      package let time: String
      package let author: String
      package let type: String
      package let description: String?
      package let rollbackSource: Int?
    }

    package let versions: [Version]
  }

  /// The defaults of a template as a file.
  package struct ConfigDefaultsFile: Sendable, Decodable, Equatable {
    package let format: String
    package let text: String
  }
}

extension HostAnswer.ConfigVersions.Version {
  init(_ version: ConfigVersion) {
    self.init(
      version: version.number, time: version.time.text, author: version.author, type: version.kind.rawValue,
      description: version.description, rollbackSource: version.rollbackSource)
  }
}
#endif
