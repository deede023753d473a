// SPDX-License-Identifier: Apache-2.0

// What a model file is made of and what a model says of itself were one module once, and readers need both;
// a `Normalization` is of the geometry.
@_exported public import FoveaGeometry
@_exported public import FoveaModelFile
