// SPDX-License-Identifier: Apache-2.0

// Without importing Foundation: AppleShims re-exports it, as the frameworks of iOS do.
import AppleShims
import FoveaCore
import Testing

struct LocalizedErrorTests {
  @Test("An image error's localizedDescription has its message and remedy")
  func image() {
    do {
      _ = try UIImage.open(path: "/nowhere/photo.jpg")
      Issue.record("a missing image was opened")
    } catch {
      #expect((error as any Error).localizedDescription == error.description)
      #expect(error.localizedDescription.contains("no such file"))
      #expect((error as NSError).localizedRecoverySuggestion == error.remedy.description)
    }
  }

  @Test("Fovea's own error has the same text")
  func fovea() {
    let error = FoveaError(
      .cancelled, "It was cancelled", remedy: "Call again", subject: "frame 3")
    #expect((error as any Error).localizedDescription == "frame 3: It was cancelled. Call again.")
  }

  @Test("A remedy that is a question ends with only its question mark")
  func question() {
    let error = FoveaError(
      .optionInvalid, "There is no option 'treshold'", remedy: "Did you mean 'threshold'?")
    #expect(error.description == "There is no option 'treshold'. Did you mean 'threshold'?")
  }

  @Test("Foundation and Dispatch come with the import")
  func foundation() {
    let number = NSNumber(value: 0.5)
    #expect(CGRect(x: 0, y: 0, width: 2, height: 1).width == 2)
    #expect(DispatchQueue(label: "q").label == "q")
    #expect(number.floatValue == 0.5 && Bundle.main.bundlePath.isEmpty == false)
  }
}
