// SPDX-License-Identifier: Apache-2.0

// Users of a model's metadata also need its file, and `Normalization` belongs to the geometry.
@_exported public import FoveaGeometry
@_exported public import FoveaModelFile
