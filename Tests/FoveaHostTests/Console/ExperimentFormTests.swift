// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
@testable import FoveaHost
import Testing

@Suite struct ExperimentFormTests {
  private static let versions =
    "id=birds-2&model=bird&variants=1:50,+2:50&metric=confirmed&hours=24&planned=2e4"
  private static let parameters =
    "id=size&model=&variants=a:1,b:1&metric=seen&kind=mean&hours=0.5&planned=10"

  @Test func `versions of a model are compared`() throws {
    let draft = try ExperimentForm(RequestQuery(Self.versions)).draft()
    #expect(draft.id == "birds-2")
    #expect(draft.model == "bird")
    #expect(draft.variants == [.init(weight: 50, version: 1), .init(weight: 50, version: 2)])
    #expect(draft.metric == .init(name: "confirmed", window: 86_400))
    #expect(draft.planned == 20_000)
  }

  @Test func `parameters are compared, with all fields of More`() throws {
    let more =
      "&parameters=%7B%22a%22:%7B%22x%22:%221%22%7D%7D&condition=true&unit=user&share=12.5&layer=l&holdout=5"
    let draft = try ExperimentForm(RequestQuery(Self.parameters + more)).draft()
    #expect(draft.model == nil)
    #expect(
      draft.variants == [.init(id: "a", weight: 1, parameters: ["x": "1"]), .init(id: "b", weight: 1)])
    #expect(draft.metric == .init(name: "seen", kind: "mean", window: 1_800))
    #expect(draft.condition == "true")
    #expect(draft.unit == "user")
    #expect(draft.share == 12.5)
    #expect(draft.layer == "l")
    #expect(draft.holdout == 5)
  }

  @Test(
    arguments: [
      ("", "variants"),
      ("id=a&variants=1;2", "variants"),
      ("id=a&model=bird&variants=x:1,y:1&metric=m", "not a version"),
      (versions + "&parameters=%7B%7D", "does not set parameters"),
      (parameters + "&parameters=%5B", "not a list of parameters"),
      (parameters + "&parameters=%7B%22z%22:%7B%7D%7D", "not a variant"),
      ("id=a&variants=a:1,b:1&metric=m&hours=soon", "'hours'"),
      ("id=a&variants=a:1,b:1&metric=m&hours=nan", "'hours'"),
      ("id=a&variants=a:1,b:1&metric=m&planned=1.5", "'planned'"),
      ("id=a&variants=a:1,b:1&metric=m&planned=1e300", "'planned'"),
      ("id=a&variants=a:1,b:1&metric=m&share=half", "'share'"),
    ])
  func `an invalid form is rejected with the errors`(_ text: String, _ expected: String) throws {
    let form = try ExperimentForm(RequestQuery(text))
    let error = #expect(throws: HostError.self) { try form.draft() }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    // The form returns as it was filled in.
    for item in form.fields.items where item.name == "variants" {
      #expect(form.values([])["variants"] as? String == item.value)
    }
  }
}
#endif
