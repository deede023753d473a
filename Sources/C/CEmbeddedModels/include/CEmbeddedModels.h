// SPDX-License-Identifier: Apache-2.0
// The TFLite files embedded in the library, as bytes in read-only memory (see models/MODEL_CARD.md).
#pragma once
#include <stddef.h>

/// Detector of the 80 classes of COCO. 64-byte aligned.
const void *_Nonnull fovea_detector_model_start(void);
extern const size_t fovea_detector_model_size;

/// Class-agnostic localizer: finds up to five prominent objects. 64-byte aligned.
const void *_Nonnull fovea_localizer_model_start(void);
extern const size_t fovea_localizer_model_size;

/// Coarse classifier: Fashion good, Food, Home good, Place, Plant. 64-byte aligned.
const void *_Nonnull fovea_coarse_classifier_model_start(void);
extern const size_t fovea_coarse_classifier_model_size;
