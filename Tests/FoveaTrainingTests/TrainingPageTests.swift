// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaTraining
import Testing

@Suite struct TrainingPageTests {
  static func page(
    of evaluated: EvaluatedLabels, title: String = "pets", settings: [(name: String, value: String)] = [],
    hasImages: Bool = false
  ) throws -> ReportParts {
    let bytes = evaluated.page(title: title, settings: settings, command: "fovea evaluate labels pets") { _ in
      hasImages ? Thumbnail(jpeg: [1, 2, 3], size: PixelSize(width: 2, height: 1)) : nil
    }
    return try ReportParts(String(decoding: bytes, as: UTF8.self))
  }

  @Test func `the page's data are the evaluation's printed JSON, and the photos to check`() throws {
    let evaluated = try PredictedPhotos().evaluated(LabelEvaluationTests.right)
    let data = try Self.page(of: evaluated, hasImages: true).data
    guard case .object(let shown) = data,
      case .object(let printed) = try JSONValue(Array(evaluated.jsonLine.utf8), name: "JSON")
    else {
      Issue.record("no objects")
      return
    }
    #expect(Array(shown.prefix(printed.count)) == printed)
    #expect(
      shown.dropFirst(printed.count).map(\.key) == [
        "hasTopFive", "thresholdReason", "curve", "reliability", "mistakes",
      ])
    let mistakes = try JSONValue(
      Array(
        """
        [{"photo": "cat/2.jpg", "image": {"width": 2, "height": 1, "jpeg": "AQID"}, "label": "cat", "answer": "dog", \
        "score": 0.6000000238418579}]
        """.utf8), name: "mistakes")
    #expect(data["mistakes"] == mistakes)
    #expect(data["confusion"]?.elements?.count == 3)
    #expect(data["curve"]?["points"]?.elements?.first?.elements?.count == 3)
    #expect(data["reliability"]?.elements?.compactMap { $0["photos"]?.digits } == ["1", "1", "1", "1"])
  }

  @Test func `the 60 most confident mistakes are in the data, in order`() throws {
    let names = (0..<100).map { "\($0 % 2 == 0 ? "cat" : "dog")/\($0).jpg" }
    let lines = names.enumerated().map { number, name in
      PredictedPhotos.line(name, [("bird", Double(number) / 100)])
    }
    let evaluated = try PredictedPhotos(names).evaluated(lines)
    let mistakes = try #require(try Self.page(of: evaluated).data["mistakes"]?.elements)
    #expect(mistakes.compactMap { $0["photo"]?.text } == Array(names.reversed().prefix(60)))
    #expect(mistakes.allSatisfy { $0["answer"]?.text == "bird" })
  }

  @Test func `totals, failures and the command are readable without a script`() throws {
    let evaluated = try PredictedPhotos().evaluated([
      PredictedPhotos.line("cat/1.jpg", [("cat", 0.9)]),
      #"{"image": "dog/1.jpg", "error": {"code": "image-truncated", "message": "cut", "remedy": "r"}}"#,
    ])
    let text = try Self.page(of: evaluated, settings: [("Photos", "pets/")]).text
    for part in [
      "<title>pets</title>", "<h1>pets</h1>\n<dl class=\"tiles\">\n",
      "<div><dt>right, test photos, ±\u{A0}27.2\u{A0}%</dt><dd>33.3\u{A0}%</dd></div>\n",
      "<div><dt>photos</dt><dd>3</dd></div>\n<div><dt>classes</dt><dd>2</dd></div>\n</dl>",
      "<h2 id=\"h-left-out\">1 photo left out</h2>\n<ul class=\"failures\">\n"
        + "<li><strong><bdi>dog/1.jpg</bdi></strong>: cut</li>\n</ul>\n</section>",
      "<pre><code>fovea evaluate labels pets</code></pre>",
      "<tr><th scope=\"row\">Photos</th><td><bdi>pets/</bdi></td></tr>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `every name of the page has its value`() throws {
    let page = try Self.page(of: try PredictedPhotos().evaluated(LabelEvaluationTests.right)).page
    // The style, the script and the data end in "}}" themselves.
    #expect(!page.contains("{{"))
    #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</html>\n"))
  }

  @Test func `nothing of foreign origin becomes markup`() throws {
    let hostile = "</script><script>alert(1)</script>\"'&\u{202E}gpj{{script}}{{#tiles}}"
    let photos = try PredictedPhotos(["<b>/<!--.jpg", "dog/1.jpg"])
    let evaluated = try photos.evaluated([
      PredictedPhotos.line("<b>/<!--.jpg", [("</script>", 0.9), ("<b>", 0.1)]),
      PredictedPhotos.line("dog/1.jpg", [("dog", 0.9)]),
    ])
    let parts = try Self.page(of: evaluated, title: hostile, settings: [(hostile, hostile)])
    let (page, text, data) = (parts.page, parts.text, parts.data)
    #expect(data["mistakes"]?.elements?.first?["photo"]?.text == "<b>/<!--.jpg")
    #expect(data["mistakes"]?.elements?.first?["answer"]?.text == "</script>")
    #expect(!text.contains("<script"))
    #expect(page.split(separator: "<script").count == 3 && page.split(separator: "</script>").count == 3)
    #expect(
      text.contains(
        "<h1>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u{202e}gpj{{script}}{{#tiles}}</h1>"
      ))
  }

  @Test func `the data of a training have each section of the page`() async throws {
    let photos = try DrawnPhotos()
    try photos.draw(8)
    try photos.draw(2, into: "test", from: 100)
    let trained = try await LabelTrainer(LabelTrainerTests.options()).train(
      try TrainingSet(folder: photos.folder["set"]), test: try TrainingSet(folder: photos.folder["test"]))
    let page = trained.page(title: "shapes", command: "fovea train labels set") { _ in nil }
    let parts = try ReportParts(String(decoding: page, as: UTF8.self))
    let (text, data) = (parts.text, parts.data)
    #expect(!parts.page.contains("{{"))
    #expect(data["outOfFold"]?["accuracy"]?.double == trained.figures.accuracy)
    #expect(data["test"]?["photos"]?.digits == "4")
    let classes = try #require(data["classes"]?.elements)
    #expect(classes.map { $0["label"]?.text } == ["disc", "square"])
    #expect(classes.map { $0["photos"]?.digits } == ["8", "8"])
    let counted = data["confusion"]?.elements?.compactMap { $0["photos"]?.digits.flatMap { Int($0) } }
    #expect(counted?.reduce(0, +) == 16)
    #expect(data["suspects"]?.elements?.count.description == data["mislabelled"]?.digits)
    #expect(data["thresholdReason"]?.text == "the largest F1")
    for part in ["curve", "reliability", "mistakes", "samePhotos", "suspectsExpected", "backbones"] {
      #expect(data[part] != nil, "\(part)")
    }
    for part in [
      "<h2 id=\"h-advice\">Next steps</h2>\n<ol>\n<li>This model assigns every photo to one of its classes. ",
      "<div><dt>photos</dt><dd>16</dd></div>\n<div><dt>classes</dt><dd>2</dd></div>",
      "<th scope=\"row\">Folds</th><td><bdi>2</bdi></td>", "<div class=\"summary\">\n<p>Out of fold  ",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
