// SPDX-License-Identifier: Apache-2.0
#if Server
import CPages
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The templates of the pages, and the files that the pages load.
struct PageTemplates: Sendable {
  /// Style sheet, script and icon.
  let files: [EmbeddedFile]
  private let writer: PageWriter

  /// Reads the embedded files.
  /// - Throws: `internal` for a template that is not well formed.
  init() throws(HostError) {
    var files: [EmbeddedFile] = []
    var templates: [String: PageTemplate] = [:]
    for index in 0..<fovea_page_count(FOVEA_PAGES_CONSOLE) {
      // SAFETY: the names end with a zero, and the bytes live as long as the process.
      let page = unsafe fovea_page_at(FOVEA_PAGES_CONSOLE, index)
      let bytes = unsafe UnsafeBufferPointer(start: page.start, count: page.size)
      let (name, type) = unsafe (String(cString: page.name), String(cString: page.type))
      if type.isEmpty {
        let template = PageTemplate(unsafe String(decoding: bytes, as: UTF8.self))
        if let problem = template.problem {
          throw HostError(
            .inner, "The template '\(name)' of the console is not well formed: \(problem)",
            remedy: "Rebuild the program")
        }
        templates[name] = template
      } else {
        files.append(EmbeddedFile(name: name, type: type, body: unsafe ByteBuffer(bytes: bytes)))
      }
    }
    self.files = files
    writer = PageWriter(templates) { PageWriter.escaped($0) }
  }

  /// Renders a page; strings in `values` are escaped.
  /// - Throws: `internal` if there is no such template.
  func render(_ template: String, _ values: [String: any Sendable]) throws(HostError) -> String {
    guard let page = writer.templates[template] else {
      throw HostError(.inner, "The console has no template '\(template)'", remedy: "Rebuild the program")
    }
    return writer.text(page, PageTemplates.values(values))
  }

  private static func values(_ members: [String: Any]) -> [String: PageTemplate.Value] {
    members.compactMapValues { value($0) }
  }

  /// Returns the value for a template; nil for an absent one.
  ///
  /// The members of a structure are values too.
  private static func value(_ any: Any) -> PageTemplate.Value? {
    if let text = any as? String { return .text(text) }
    if let flag = any as? Bool { return .list(flag ? [[:]] : []) }
    if let members = any as? [String: Any] { return .list([values(members)]) }
    if let elements = any as? [Any] {
      return .list(elements.compactMap { value($0)?.elements.first })
    }
    let mirror = Mirror(reflecting: any)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { value($0.value) }
    case .struct:
      let members = mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
      return .list([values(Dictionary(members) { $1 })])
    default: return .text(String(describing: any))
    }
  }
}
#endif
