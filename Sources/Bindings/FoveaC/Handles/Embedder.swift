// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_embedder_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let given = unsafe try OptionsObject.options(options)
    let embedder = try BlockingEmbedder(
      model: unsafe ModelSource.named(model) ?? .embedded(.classifier), options: given.embedderOptions())
    unsafe out.pointee = unsafe Handle.make(EmbedderHandle(embedder))
  }
}

@c @implementation package func fovea_embed(
  _ embedder: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let handle = unsafe try Handle.get(EmbedderHandle.self, embedder, "embedder")
    let batch = try Batch(
      handle.analyzer("embedder"), unsafe ImageList(images, count), unsafe CallArgument(call))
    unsafe out.pointee = unsafe Handle.make(ResultObject(batch.run(), .features(dimension: handle.dimension)))
  }
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
