// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// Small images that this module's own encoders cannot write: 32 × 24 pixels in four quarters.
///
/// Made with Pillow 12 from arrays: `Image.fromarray(quarters).save(file, format, …)`.
struct Fixture: CustomTestStringConvertible {
  /// The contents of the quarters.
  enum Content {
    /// Red, green / blue, white.
    case color
    /// 0, 85 / 170, 255.
    case grey
    /// Black, black / white, white.
    case bilevel
    /// The colours with alpha 255, 128 / 0, 77.
    case alpha
    /// The greys with the same alpha.
    case greyAlpha
  }

  let testDescription: String
  let content: Content
  let base64: String

  var bytes: [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

  /// The four colours of the quarters, over white, from the top left.
  var expected: [RGB] {
    switch content {
    case .color: [RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 0, 255), RGB(255, 255, 255)]
    case .grey: [0, 85, 170, 255].map { RGB($0, $0, $0) }
    case .bilevel: [0, 0, 255, 255].map { RGB($0, $0, $0) }
    case .alpha: [RGB(255, 0, 0), RGB(127, 255, 127), RGB(255, 255, 255), RGB(255, 255, 255)]
    case .greyAlpha: [0, 170, 255, 255].map { RGB($0, $0, $0) }
    }
  }

  static let all: [Fixture] = [
    Fixture(
      testDescription: "JPEG 4:4:4", content: .color,
      base64: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ\
        ERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBQUFBQUFBQUFBQUFBT/wAARCAAYACADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAkICv/EABwQAQAABwEAAAAA\
        AAAAAAAAAAAXGGVmpKXi4//EABkBAQEBAAMAAAAAAAAAAAAAAAAJBwYICv/EABsRAQABBQEAAAAAAAAAAAAAAACjFxhkZePi\
        /9oADAMBAAIRAxEAPwDOjDFUwGxmJPMeAn3FWl5HKqFsu4g7LVXDaqbkRVpeRyWy7iDsXDaqbkshKDdut9XR+meZH7Tjo9nx\
        dCUG7db6lM8yP2Uez4uiGC4bVwHS2lY5wA//2Q==
        """),
    Fixture(
      testDescription: "JPEG 4:2:2", content: .color,
      base64: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ\
        ERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBQUFBQUFBQUFBQUFBT/wAARCAAYACADASEAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAkICv/EABwQAQAABwEAAAAA\
        AAAAAAAAAAAXGGVmpKXi4//EABgBAQEAAwAAAAAAAAAAAAAAAAkHBggK/8QAGxEBAAEFAQAAAAAAAAAAAAAAAKMXGGRl4+L/\
        2gAMAwEAAhEDEQA/AM6CGFTbGEScx6fcVaXkckVaXkclQtl3EHY1Vw2qm5LISg3brfUlBu3W+rR+meZH7HHR7Pi6IYBw1XdL\
        YKxnD//Z
        """),
    Fixture(
      testDescription: "progressive JPEG", content: .color,
      base64: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ\
        ERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBQUFBQUFBQUFBQUFBT/wgARCAAYACADASIAAhEBAxEB/8QAGAABAAMBAAAAAAAAAAAAAAAAAAUHCAn/xAAXAQADAQAAAAAA\
        AAAAAAAAAAABBwgF/9oADAMBAAIQAxAAAAGuUAD40EsYrIcwwL9Z/S0Stuf/xAAXEAADAQAAAAAAAAAAAAAAAAAAFRYg/9oA\
        CAEBAAEFAsNRqSBIZ//EAB0RAAAFBQAAAAAAAAAAAAAAAAACBRZTEKGi0dL/2gAIAQMBAT8Bd6JPifkN1UiuXdf/xAAhEQAA\
        AQ0AAAAAAAAAAAAAAAAAAQIEBRAVFlNUoaLR0v/aAAgBAgEBPwGCV/T5GdByJ8u5Nt//xAAaEAABBQEAAAAAAAAAAAAAAAAA\
        IDM0oqPh/9oACAEBAAY/AkNWGrEvPpLz6n//xAAXEAADAQAAAAAAAAAAAAAAAAAg8PEA/9oACAEBAAE/IQSMkHVf/9oADAMB\
        AAIAAwAAABD7wLz/xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/EBxb/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgB\
        AgEBPxAfLf/EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8QSIVf/9k=
        """),
    Fixture(
      testDescription: "JPEG of RGB components", content: .color,
      base64: """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBET\
        FBUVFQwPFxgWFBgSFBUU/8AAEQgAGAAgA1IRAEcRAEIRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAJCv/EABgQAQADAQAAAAAA\
        AAAAAAAAAAAZZ6bk/9oADANSAEcAQgAAPwCqaVSVQDKu1UACqk51J6viZV1VIMbsynaTnUnq+IIMbsynaQY3ZlO1qoIMbsyn\
        aQY3ZlO0IMbsynalWyrqqANVDVQAP//Z
        """),
    Fixture(
      testDescription: "CMYK JPEG", content: .color,
      base64: """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBET\
        FBUVFQwPFxgWFBgSFBUU/8AAFAgAGAAgBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAJCv/EABgQAQADAQAA\
        AAAAAAAAAAAAAAAZZ6bk/9oADgRDAE0AWQBLAAA/AKppVJVKpgDKu1UAAKqTnUnq+JlXVUgxuzKdoTnUnq+IIMbsynaEGN2Z\
        TtaqCDG7Mp2hBjdmU7QgxuzKdolWyrqqAA1UNVAAD//Z
        """),
    Fixture(
      testDescription: "grey JPEG", content: .grey,
      base64: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ\
        ERMUFRUVDA8XGBYUGBIUFRT/wAALCAAYACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAgJ/8QAGBABAAMBAAAAAAAAAAAA\
        AAAAABlnpeT/2gAIAQEAAD8AyqFxBGXZGF0kZdkYXSuOMuyMLpIy7IwukFxj/9k=
        """),
    Fixture(
      testDescription: "grey PNG", content: .grey,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAAAAAC+OKDoAAAAIUlEQVR4nGNkQAOhaHwmdAXoYFQBtRQwrkITGI2LAVMAANFi\
        AYPdyWzoAAAAAElFTkSuQmCC
        """),
    Fixture(
      testDescription: "palette PNG", content: .color,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYAgMAAADmPRenAAAADFBMVEX///8A/wD/AAAAAP8XAUDqAAAAH0lEQVR42mNcxcDA\
        sJqBgYGJAQpox2D8z8DAwEgfuwCbbgKE6YkF9QAAAABJRU5ErkJggg==
        """),
    Fixture(
      testDescription: "PNG of 1 bit", content: .bilevel,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYAQAAAACzKMKZAAAAFUlEQVR4nGNgIB8w/mdgYGBiIIsAAD4NARc+j7YGAAAAAElF\
        TkSuQmCC
        """),
    Fixture(
      testDescription: "grey PNG of 16 bits", content: .grey,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYEAAAAADuqHyrAAAAKUlEQVR4nGNkIABCQ/HLMxEygBAYNWDUgMFhAOOqVfgVjOaF\
        UQNGiAEAhT4C10FVqboAAAAASUVORK5CYII=
        """),
    Fixture(
      testDescription: "PNG with alpha", content: .alpha,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAYAAACbU/80AAAAPUlEQVR4nO3VsQ0AIAwDwQ/7MRSTmyGMRPPuXzqlyQRCsQmn\
        6VcTv5gAAQIECJjyFZCwm/77BQQIECBAwAVUIgb4XeyIoAAAAABJRU5ErkJggg==
        """),
    Fixture(
      testDescription: "grey PNG with alpha", content: .greyAlpha,
      base64: """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAQAAAAxWje/AAAALklEQVR4nGNk+M+AF4Q24pdnwi9NGIwaMGrA4DCAcRUBBaG+\
        NHbBqAGjBgwOAwB/xwNQFWLYygAAAABJRU5ErkJggg==
        """),
    Fixture(
      testDescription: "lossless WebP with alpha", content: .alpha,
      base64: """
        UklGRjoAAABXRUJQVlA4TC0AAAAvH8AFEB8w/wKCIv9H23+BAOHJh/8bQewmgiDbZpKTnOQFDhDR/1Ddtl+Aql8A
        """),
    Fixture(
      testDescription: "animated WebP", content: .color,
      base64: """
        UklGRsAAAABXRUJQVlA4WAoAAAACAAAAHwAAFwAAQU5JTQYAAAAAAAAAAABBTk1GRgAAAAAAAAAAAB8AABcAAGQAAAJWUDhM\
        LQAAAC8fwAUAHyAQSN4fOo35FxAU/B/d/EdkD4Ag22aSk7zkBA4Q0f/YNtVfgKrbAABBTk1GRgAAAAAAAAAAAB8AABcAAGQA\
        AABWUDhMLQAAAC8fwAUAHyAQSN4fOo35FxAU/B/d/EdkD4Ag22aSk5zkBQ4Q0f9QrfrdNoBbAAA=
        """),
  ]
}
