// SPDX-License-Identifier: Apache-2.0
#if Server
import CPages
import FoveaCore
import FoveaHTTP
import Hummingbird
import Mustache

/// The templates of the pages, and the files that the pages load.
struct PageTemplates: Sendable {
  /// Style sheet, script and icon.
  let files: [EmbeddedFile]
  private let library: MustacheLibrary

  /// Reads the embedded files.
  /// - Throws: `internal` for a template that is not well formed.
  init() throws(HostError) {
    var files: [EmbeddedFile] = []
    var library = MustacheLibrary()
    for index in 0..<fovea_page_count(FOVEA_PAGES_CONSOLE) {
      // SAFETY: the names end with a zero, and the bytes live as long as the process.
      let page = unsafe fovea_page_at(FOVEA_PAGES_CONSOLE, index)
      let bytes = unsafe UnsafeBufferPointer(start: page.start, count: page.size)
      let (name, type) = unsafe (String(cString: page.name), String(cString: page.type))
      if type.isEmpty {
        do { try library.register(unsafe String(decoding: bytes, as: UTF8.self), named: name) } catch {
          throw HostError(
            .inner, "The template '\(name)' of the console is not well formed: \(error)",
            remedy: "Rebuild the program")
        }
      } else {
        files.append(EmbeddedFile(name: name, type: type, body: unsafe ByteBuffer(bytes: bytes)))
      }
    }
    self.files = files
    self.library = library
  }

  /// Renders a page; strings in `values` are escaped.
  /// - Throws: `internal` if there is no such template.
  func render(_ template: String, _ values: [String: Any]) throws(HostError) -> String {
    guard let text = library.render(values, withTemplate: template) else {
      throw HostError(.inner, "The console has no template '\(template)'", remedy: "Rebuild the program")
    }
    return text
  }
}
#endif
