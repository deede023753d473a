// SPDX-License-Identifier: Apache-2.0
// The list of models that can be pulled by name, as bytes of JSON in read-only memory.
#pragma once
#include <stddef.h>

/// The text of data/model-catalogue.json.
const unsigned char *_Nonnull fovea_model_catalogue_start(void);
extern const size_t fovea_model_catalogue_size;
