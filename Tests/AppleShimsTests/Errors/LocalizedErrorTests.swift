// SPDX-License-Identifier: Apache-2.0

// No import of Foundation: AppleShims brings it, as the frameworks of iOS do.
import AppleShims
import FoveaCore
import Testing

struct LocalizedErrorTests {
  @Test("An error of an image says in localizedDescription what happened and what to do")
  func picture() {
    do {
      _ = try UIImage.open(path: "/nowhere/photo.jpg")
      Issue.record("an image that is not there was opened")
    } catch {
      #expect((error as any Error).localizedDescription == error.description)
      #expect(error.localizedDescription.contains("no such file"))
      #expect((error as NSError).localizedRecoverySuggestion == error.remedy.description)
    }
  }

  @Test("An error of Fovea says the same")
  func fovea() {
    let error = FoveaError(
      .cancelled, "It was cancelled", remedy: "Call again", subject: "frame 3")
    #expect((error as any Error).localizedDescription == "frame 3: It was cancelled. Call again.")
  }

  @Test("A remedy that asks ends in its question mark alone")
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
