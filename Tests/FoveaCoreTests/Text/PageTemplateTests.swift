// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct PageTemplateTests {
  static let values: [String: PageTemplate.Value] = [
    "name": .text("<a> & \"'\u{338}"), "own": .source("<b>"), "empty": .list([]), "true": .list([[:]]),
    "rows": .list([["name": .text("1")], ["cell": .text("2")], [:]]),
    "words": .list([[".": .text("x")], [".": .text("y")]]), "outer": .text("{{name}}"),
  ]
  static let writer = PageWriter([
    "row": PageTemplate("<td>{{cell}}\n"),
    "frame": PageTemplate("<main>\n{{$body}}\nnothing\n{{/body}}\n</main>\n"),
  ]) { PageWriter.escaped($0) }

  @Test(
    arguments: [
      ("", ""), ("a\n{b}", "a\n{b}"),
      ("{{name}}", "&lt;a&gt; &amp; &quot;&#39;\u{338}"), ("{{own}}", "<b>"), ("{{outer}}", "{{name}}"),
      ("[{{missing}}{{rows}}]", "[]"),
      ("{{#empty}}a{{/empty}}{{#missing}}b{{/missing}}{{#true}}c{{/true}}{{#own}}{{.}}{{/own}}", "c<b>"),
      ("{{^empty}}a{{/empty}}{{^missing}}b{{/missing}}{{^true}}c{{/true}}{{^own}}d{{/own}}", "ab"),
      ("{{#words}}{{.}},{{/words}}", "x,y,"),
      ("{{#rows}}[{{#cell}}{{.}}{{/cell}}{{^cell}}-{{/cell}}]{{/rows}}", "[-][2][-]"),
      ("{{#rows}}{{#true}}{{cell}};{{/true}}{{/rows}}", ";2;;"),
      ("a\n{{#words}}\n{{.}}\n{{/words}}\nb\n", "a\nx\ny\nb\n"), ("{{#true}}\n{{/true}} \n", " \n"),
      ("{{#rows}}\n{{> row}}\n{{/rows}}\n</tr>", "<td>\n<td>2\n<td>\n</tr>"), ("{{> none}}.", "."),
      ("{{<frame}}{{$body}}\n<p>{{own}}</p>\n{{/body}}{{/frame}}\n", "<main>\n<p><b></p>\n</main>\n"),
      ("{{<frame}}{{/frame}}", "<main>\nnothing\n</main>\n"),
    ])
  func `tags are values, repetitions and other templates`(_ text: String, _ expected: String) {
    let template = PageTemplate(text)
    #expect(template.problem == nil)
    #expect(Self.writer.text(template, Self.values) == expected)
  }

  @Test(
    arguments: [
      ("a{{b", "'{{' is not closed", "a{{b"), ("{{#true}}x", "'true' is not closed", "x"),
      ("x{{/true}}y", "'{{/true}}' closes no tag", "x{{/true}}y"),
      ("{{#a}}{{#b}}{{/a}}", "'{{/a}}' closes no tag", ""),
    ])
  func `a damaged template has a problem and loses no text`(
    _ text: String, _ problem: String, _ expected: String
  ) {
    let template = PageTemplate(text)
    #expect(template.problem == problem)
    #expect(Self.writer.text(template, Self.values) == expected)
  }

  @Test func `a name without a value can stay`() {
    let writer = PageWriter(keepsNames: true) { $0 }
    #expect(writer.text(PageTemplate("{{a}}{{#b}}{{c}}{{/b}}"), ["b": .list([[:]])]) == "{{a}}{{c}}")
  }
}
