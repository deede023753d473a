// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCLI

@Suite struct ReorderWindowTests {
  @Test func `elements are returned in order`() {
    var window = ReorderWindow<String>(capacity: 3, isOrdered: true)
    window.insert("c", at: 2)
    #expect(window.takeReady().isEmpty)
    window.insert("a", at: 0)
    #expect(window.takeReady() == ["a"])
    #expect(window.takeReady().isEmpty)
    window.insert("b", at: 1)
    #expect(window.takeReady() == ["b", "c"])
    #expect(window.heldBack == 0)
  }

  @Test func `work runs ahead by the capacity and no further`() {
    var window = ReorderWindow<Int>(capacity: 2, isOrdered: true)
    #expect(window.accepts(0) && window.accepts(1) && !window.accepts(2))
    window.insert(1, at: 1)
    _ = window.takeReady()
    #expect(!window.accepts(2))
    window.insert(0, at: 0)
    _ = window.takeReady()
    #expect(window.accepts(3) && !window.accepts(4))
  }

  @Test func `without order everything arrives at once`() {
    var window = ReorderWindow<Int>(capacity: 1, isOrdered: false)
    window.insert(7, at: 7)
    window.insert(3, at: 3)
    #expect(window.takeReady() == [7, 3])
    #expect(window.accepts(1_000))
  }
}
