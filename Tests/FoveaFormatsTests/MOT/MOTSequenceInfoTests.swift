// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import Testing

@Suite struct MOTSequenceInfoTests {
  static func read(_ text: String) throws(EvaluationError) -> MOTSequenceInfo {
    try MOTSequenceInfo(text: Array(text.utf8), name: "'seqinfo.ini'")
  }

  @Test func `all entries are read`() throws {
    let info = try Self.read(
      "; a note\r\n[Other]\r\nseqLength=5\r\n[Sequence]\r\nname = MOT17-02 \r\nimDir=img1\r\nframeRate=29.97\r\n"
        + "seqLength=600\r\nimWidth=1920\r\nIMHEIGHT: 1080\r\nimExt=.jpg\r\nx=y\r\n\r\n")
    #expect(info.name == "MOT17-02")
    #expect(info.imageFolder == "img1")
    #expect(info.frameRate == 29.97)
    #expect(info.frameCount == 600)
    #expect(info.width == 1920)
    #expect(info.height == 1080)
    #expect(info.imageExtension == ".jpg")
  }

  @Test func `an empty file is valid`() throws {
    #expect(try Self.read("") == MOTSequenceInfo())
  }

  @Test(arguments: [
    ("[Sequence]\nseqLength=0", "seqlength is '0', not a whole number from 1 to 2147483647"),
    ("[Sequence]\nseqLength=many", "seqlength is 'many', not a whole number from 1 to 2147483647"),
    ("[Sequence]\nimWidth=-5", "imwidth is '-5', not a whole number from 1 to 2147483647"),
    ("[Sequence]\nframeRate=nan", "framerate is 'nan', not a number above 0"),
    ("[Sequence]\nframeRate=0", "framerate is '0', not a number above 0"),
  ])
  func `impossible values are errors`(_ text: String, _ reason: String) {
    let error = #expect(throws: EvaluationError.self) { try Self.read(text) }
    #expect(error?.code == .invalidSequenceInfo)
    #expect(error?.message == "'seqinfo.ini' line 2: \(reason)")
  }

  @Test func `a line without a value is an error`() {
    let error = #expect(throws: EvaluationError.self) { try Self.read("[Sequence]\nseqLength") }
    #expect(error?.message == "'seqinfo.ini' line 2: an entry without =")
  }
}
