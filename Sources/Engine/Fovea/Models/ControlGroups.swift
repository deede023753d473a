// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The control groups of this process that limit a resource.
///
/// **Source:** Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/cgroups.rst.
struct ControlGroups {
  /// The folder of a group, whose files contain its limits.
  struct Group {
    let folder: String
    /// Whether its files have the format of version 2.
    let isVersion2: Bool

    /// Returns the text of a file of the group; nil if it is missing.
    func text(_ name: String) -> String? { ControlGroups.text(folder + "/" + name) }

    /// Returns the whole number in a file of the group; nil if there is none.
    func number(_ name: String) -> Int? {
      text(name).flatMap { Int($0.filter { !$0.isWhitespace }) }
    }
  }

  /// Each group that limits the controller, and its parents, whose limits also apply.
  let groups: [Group]

  /// Finds the groups of a controller such as `cpu`; none on systems without control groups.
  /// - Parameters:
  ///   - controller: The name of the resource in version 1.
  ///   - root: The root of the system's files; tests set another folder.
  init(_ controller: String, root: String = "") {
    var groups: [Group] = []
    for line in (ControlGroups.text(root + "/proc/self/cgroup") ?? "").split(separator: "\n") {
      // NUMBER:CONTROLLERS:PATH, without controllers in version 2.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
      let isVersion2 = fields[0] == "0" && fields[1].isEmpty
      guard isVersion2 || fields[1].split(separator: ",").contains(controller[...]) else { continue }
      let mount = root + "/sys/fs/cgroup" + (isVersion2 ? "" : "/\(fields[1])")
      // Inside a container, the path may begin with folders that exist only outside it.
      groups += ControlGroups.around(String(fields[2])).map {
        Group(folder: mount + $0, isVersion2: isVersion2)
      }
    }
    self.groups = groups
  }

  /// Returns a group, its parents, and the root, as paths without a final slash.
  private static func around(_ path: String) -> [String] {
    var names = path.split(separator: "/")[...]
    var groups: [String] = []
    while true {
      groups.append(names.map { "/" + $0 }.joined())
      guard names.popLast() != nil else { return groups }
    }
  }

  /// Returns the text of a system file; nil if it is missing, such as on systems without control groups.
  static func text(_ path: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: path, limit: 64 << 10) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
