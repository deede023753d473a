// SPDX-License-Identifier: Apache-2.0
#include "CModelCatalogue.h"

// Embedded instead of shipped as a resource: no search at run time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char catalogue[] = {
#embed "data/model-catalogue.json"
};
const size_t fovea_model_catalogue_size = sizeof catalogue;
const unsigned char *fovea_model_catalogue_start(void) { return catalogue; }
