// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
package import FoveaCore
import FoveaFormats
import FoveaHTTP

/// The lines, zones and dwells of sources on the command line, as texts.
package struct SourceShapes: Sendable {
  /// Lines as `SOURCE:NAME=X1,Y1,X2,Y2`.
  package var lines: [String] = []
  /// Zones as `SOURCE:NAME=X1,Y1,X2,Y2,X3,Y3,…`.
  package var zones: [String] = []
  /// Stays that are events as `SOURCE:ZONE=SECONDS`.
  package var dwells: [String] = []

  package init() {}

  /// Adds the shapes to their sources.
  /// - Throws: `option-invalid` for a text of another form, a source that does not exist, and a shape that
  ///   cannot be counted.
  package func add(to sources: inout [StreamEntry]) throws(FoveaError) {
    for text in lines {
      let (index, name, points) = try SourceShapes.parts(of: text, .line, sources)
      sources[index].settings.lines.append(CountedShape(name: name, points: points))
    }
    for text in zones {
      let (index, name, points) = try SourceShapes.parts(of: text, .zone, sources)
      sources[index].settings.zones.append(CountedShape(name: name, points: points))
    }
    for text in dwells {
      let (index, zone, seconds) = try SourceShapes.parts(of: text, .dwell, sources)
      guard seconds.count == 1 else { throw SourceShapes.malformed(text, .dwell) }
      sources[index].settings.dwells[zone] = seconds[0]
    }
    for source in sources { try SourceShapes.check(source) }
  }

  /// Returns the index of the source, the name and the numbers in a text.
  private static func parts(
    of text: String, _ form: ShapeForm, _ sources: [StreamEntry]
  ) throws(FoveaError) -> (source: Int, name: String, numbers: [Double]) {
    guard let equals = text.firstIndex(of: "="), let colon = text[..<equals].firstIndex(of: ":"),
      let numbers = NumberList(String(text[text.index(after: equals)...]))?.values
    else { throw malformed(text, form) }
    let source = String(text[..<colon])
    guard let index = sources.firstIndex(where: { $0.name == source }) else {
      let near = NameDistance.nearest(to: source, among: sources.map(\.name)).first
      throw .optionInvalid(
        "There is no source '\(source.printable)' for the \(form.rawValue) '\(text.printable)'",
        remedy: near.map { "Did you mean '\($0)'?" } ?? "Name it with \(flag: "source")")
    }
    return (index, String(text[text.index(after: colon)..<equals]), numbers)
  }

  private static func malformed(_ text: String, _ form: ShapeForm) -> FoveaError {
    .optionInvalid(
      "The \(form.rawValue) '\(text.printable)' is not of the form source:name=\(form.numbers)",
      remedy: "Write the source, the name and the numbers, such as gate:\(form.example)")
  }

  private static func check(_ source: StreamEntry) throws(FoveaError) {
    do throws(Refusal) { try source.settings.check() } catch {
      throw .optionInvalid("The source '\(source.name)': \(error.message)", remedy: "Correct the numbers")
    }
    do throws(FoveaError) { _ = try source.settings.counters() } catch {
      throw .optionInvalid("The source '\(source.name)': \(error.message)", remedy: error.remedy)
    }
  }
}
#endif
