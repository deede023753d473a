// SPDX-License-Identifier: Apache-2.0
// The two TFLite files that ship inside the library, as bytes in read-only memory (see models/MODEL_CARD.md).
#pragma once
#include <stddef.h>

/// Class-agnostic localizer: finds up to five prominent objects.
extern const unsigned char fovea_localizer_model[];
extern const size_t fovea_localizer_model_size;

/// Coarse classifier: Fashion good, Food, Home good, Place, Plant.
extern const unsigned char fovea_coarse_classifier_model[];
extern const size_t fovea_coarse_classifier_model_size;
