// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

/// The confirmations before a rollout moves devices.
@Suite struct RolloutPagesTests {
  @Test func `a rollout moves devices only after a confirmation`() throws {
    let text = try PageTemplates().render(
      "model",
      [
        "name": "bird", "link": "/bird", "mayPublish": true, "hasUsable": true,
        "rollout": ["version": 2, "isHalted": false] as [String: any Sendable],
      ])
    #expect(text.contains(#"<a class="button" href="/bird/finish">Give version 2 to all …</a>"#), "\(text)")
    #expect(text.contains(#"<form method="get" action="/bird/rollout">"#), "\(text)")
    #expect(!text.contains(#"<form method="post" action="/bird/finish""#), "\(text)")
    #expect(!text.contains(#"<form method="post" action="/bird/rollout""#), "\(text)")
  }

  @Test(
    arguments: [
      (nil, 0, "Devices get version 1. With their next request, no devices get version 2."),
      (nil, 1, "Devices get version 1. With their next request, 0.000001 % of the devices get version 2."),
      (
        nil, 12_500_000,
        "Devices get version 1. With their next request, 12.5 % of the devices get version 2."
      ),
      (nil, 100_000_000, "Devices get version 1. With their next request, all devices get version 2."),
      (
        10_000_000, 100_000_000,
        "Devices get version 1, and 10 % of the devices get version 2. With their next request, all devices "
          + "get version 2."
      ),
    ] as [(Int?, Int, String)])
  func `the confirmation names the devices before and after`(_ before: Int?, _ share: Int, _ text: String)
    throws
  {
    var model = try HostSamples.published()
    if let before { try model.rollOut(2, microPercent: before) }
    var after = model
    try after.rollOut(2, microPercent: share)
    #expect(DeliveryText.change(from: DeliveryState(model), to: after) == text)
  }

  @Test(
    arguments: [
      ("0", 0), ("100", 100_000_000), ("12.5", 12_500_000), ("-1", nil), ("100.1", nil), ("ten", nil),
      ("nan", nil), ("inf", nil), ("1e-6", 1), ("1e-9", nil), (" 10 ", 10_000_000), ("10%", 10_000_000),
      ("12.5 %", 12_500_000), ("0x10", nil), ("0X1p3", nil), ("%", nil), ("10 %%", nil), ("10,5", nil),
    ] as [(String, Int?)])
  func `a share is a percentage`(_ text: String, _ share: Int?) {
    #expect((try? ModelPages.share(text)) == share)
  }

  @Test(arguments: [(2, nil), (3, .conflict)] as [(Int, HostCode?)])
  func `only the rollout that was confirmed is finished`(_ version: Int, _ expected: HostCode?) throws {
    var model = try HostSamples.published()
    try model.rollOut(2, microPercent: 1)
    var after = model
    do throws(HostError) {
      try ModelPages.finish(version)(&after)
      #expect(expected == nil && after.channels[HostModel.stable] == 2 && after.rollout == nil)
    } catch {
      #expect(error.code == expected && after == model)
    }
  }
}
#endif
