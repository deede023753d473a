// SPDX-License-Identifier: Apache-2.0
#include "CEmbeddedModels.h"

// The files are embedded instead of shipped as resources: no search at run time, no files next to the
// executable, and the pages are mapped from the binary itself. FlatBuffers require 16-byte alignment.
#pragma clang diagnostic ignored "-Wc23-extensions"

__attribute__((aligned(64))) static const unsigned char detector[] = {
#embed "models/detector80_int8.tflite"
};
const size_t fovea_detector_model_size = sizeof detector;
const void *fovea_detector_model_start(void) { return detector; }

__attribute__((aligned(64))) static const unsigned char localizer[] = {
#embed "models/localizer_int8.tflite"
};
const size_t fovea_localizer_model_size = sizeof localizer;
const void *fovea_localizer_model_start(void) { return localizer; }

__attribute__((aligned(64))) static const unsigned char coarse_classifier[] = {
#embed "models/coarse_int8.tflite"
};
const size_t fovea_coarse_classifier_model_size = sizeof coarse_classifier;
const void *fovea_coarse_classifier_model_start(void) { return coarse_classifier; }
