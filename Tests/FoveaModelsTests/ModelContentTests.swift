// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata
@testable import FoveaModels

@Suite struct ModelContentTests {
  @Test func `a usable model has no fault, in memory and in a file`() throws {
    let folder = try TemporaryFolder()
    for model in [TestModels.detector, TestModels.classifier, TestModels.classifier + [0, 0, 0]] {
      let fault = ModelContent.fault(in: model.span)
      #expect(fault == nil)
      #expect(try ModelContent.fault(inFile: folder.write("m.tflite", model)) == nil)
    }
  }

  @Test(arguments: [
    [], [0], Array("TFL3".utf8), Array("\0\0\0\0TFL3".utf8), [UInt8](repeating: 7, count: 1 << 20),
  ])
  func `bytes that are not a model have a fault as text`(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let found = ModelContent.fault(in: bytes.span)
    let fault = try #require(found)
    #expect(!fault.isEmpty)
    #expect(try ModelContent.fault(inFile: folder.write("m.tflite", bytes)) == fault)
  }

  @Test(arguments: [
    (
      "ethos-u",
      "it is compiled for Arm's Ethos-U by Vela (its operator is 'ethos-u'). Use the file that it was compiled from:"
        + " its name is usually the same without '_vela'"
    ),
    ("MyOwnOp", "operator 0 reads tensor 6, which no earlier operator writes"),
  ])
  func `a damaged graph with a device's operator is for that device`(_ name: String, _ fault: String) {
    // Vela's operator reads memory that nothing writes.
    var model = TestModel.sound()
    model.customName = name
    model.graphs[0].tensors.append(.init(shape: [64], type: 3, name: "scratch"))
    model.graphs[0].operators = [.init(code: 32, inputs: [6, 0], outputs: [5])]
    #expect(ModelContent.fault(in: model.bytes().span) == fault)
  }

  @Test func `a missing file cannot be read`() {
    let error = #expect(throws: ModelStoreError.self) { try ModelContent.fault(inFile: "/no/such/file") }
    #expect(error?.code == .storeUnreadable)
  }

  @Test(arguments: [1, 9])
  func `an archive is refused with its files`(_ count: Int) throws {
    var (bytes, writer) = ([UInt8](), ArchiveWriter())
    for number in 1...count {
      writer.append(AssociatedFileContents(name: "\(number).tflite", contents: [1]), to: &bytes)
    }
    writer.finish(&bytes)
    let names = (1...min(count, 8)).map { "'\($0).tflite'" }.joined(separator: ", ")
    #expect(
      ModelContent.fault(in: bytes.span)
        == "it is a ZIP archive with \(names)\(count > 8 ? ", …" : ""), not one TFLite model")
  }
}
