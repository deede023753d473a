// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_embedder_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.open(options, out) { (given) throws(FoveaError) in
    EmbedderHandle(
      try BlockingAnalyzer(
        embedder: unsafe ModelSource.named(model) ?? .embedded(.classifier), given.embedderOptions()))
  }
}

@c @implementation package func fovea_embed(
  _ embedder: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.run(EmbedderHandle.self, embedder, images, count, call, out)
}

@c @implementation package func fovea_embedder_dimension(_ embedder: OpaquePointer?) -> Int {
  unsafe Handle.find(EmbedderHandle.self, embedder)?.dimension ?? 0
}

@c @implementation package func fovea_embedder_assumption_count(_ embedder: OpaquePointer?) -> Int {
  unsafe Handle.find(EmbedderHandle.self, embedder)?.assumptions.count ?? 0
}

@c @implementation package func fovea_embedder_assumption(
  _ embedder: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(EmbedderHandle.self, embedder)?.assumptions, index)
}

@c @implementation package func fovea_embedder_close(_ embedder: OpaquePointer?) {
  unsafe AnalyzerHandle.close(EmbedderHandle.self, embedder)
}
