// SPDX-License-Identifier: Apache-2.0
// The part of LiteRT's C API that Fovea calls, declared here and resolved at run time with dlsym, so that
// building needs neither LiteRT's headers nor its library. Source: LiteRT 2.3.0, litert/c (Apache-2.0).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CLoad.h"
#include "CSeal.h"

#pragma clang assume_nonnull begin

typedef int32_t fovea_status;

// Opaque handles of the library.
typedef struct fovea_environment_s *fovea_environment;
typedef struct fovea_model_s *fovea_model;
typedef struct fovea_signature_s *fovea_signature;
typedef struct fovea_subgraph_s *fovea_subgraph;
typedef struct fovea_tensor_s *fovea_tensor;
typedef struct fovea_options_s *fovea_options;
typedef struct fovea_opaque_options_s *fovea_opaque_options;
typedef struct fovea_compiled_model_s *fovea_compiled_model;
typedef struct fovea_tensor_buffer_s *fovea_tensor_buffer;
typedef struct fovea_buffer_requirements_s *fovea_buffer_requirements;

typedef struct {
  // Bits 0-6: the rank; bit 7: whether there are strides. A plain word, because Swift cannot read bit-fields.
  uint32_t rank_and_flags;
  int32_t dimensions[8];
  uint32_t strides[8];
} fovea_layout;
_Static_assert(sizeof(fovea_layout) == 68, "LiteRtLayout is 68 bytes in LiteRT 2.3.0");

typedef struct {
  int32_t element_type;
  fovea_layout layout;
} fovea_tensor_type;
_Static_assert(sizeof(fovea_tensor_type) == 72, "LiteRtRankedTensorType is 72 bytes in LiteRT 2.3.0");

typedef struct {
  float scale;
  int64_t zero_point;
} fovea_per_tensor_quantization;
_Static_assert(sizeof(fovea_per_tensor_quantization) == 16, "LiteRtQuantizationPerTensor is 16 bytes");

typedef struct {
  int32_t quantized_dimension;
  uint64_t channel_count;
  const float *_Nullable scales;
  const int64_t *_Nullable zero_points;
} fovea_per_channel_quantization;
_Static_assert(sizeof(fovea_per_channel_quantization) == 32, "LiteRtQuantizationPerChannel is 32 bytes");

typedef struct {
  int32_t tag;
  int32_t reserved;
  int32_t value_type;
  int32_t padding;
  int64_t value;
} fovea_environment_option;
_Static_assert(sizeof(fovea_environment_option) == 24, "LiteRtEnvOption is 24 bytes in LiteRT 2.3.0");
_Static_assert(offsetof(fovea_environment_option, value_type) == 8, "the value's type is at byte 8");
_Static_assert(offsetof(fovea_environment_option, value) == 16, "the value is at byte 16");

// All functions that Fovea calls: F(result, name, parameters).
#define FOVEA_LITERT_FUNCTIONS(F)                                                                                   \
  F(fovea_status, CreateEnvironment,                                                                                \
    (int count, const fovea_environment_option *options, fovea_environment _Nullable *_Nonnull out))                         \
  F(void, DestroyEnvironment, (fovea_environment environment))                                                      \
  F(fovea_status, CreateModelFromBuffer,                                                                            \
    (fovea_environment environment, const void *bytes, size_t size, fovea_model _Nullable *_Nonnull out))                    \
  F(void, DestroyModel, (fovea_model model))                                                                        \
  F(fovea_status, GetNumModelSignatures, (fovea_model model, size_t *out))                                          \
  F(fovea_status, GetModelSignature, (fovea_model model, size_t index, fovea_signature _Nullable *_Nonnull out))             \
  F(fovea_status, GetSignatureKey, (fovea_signature signature, const char *_Nullable *_Nonnull out))                \
  F(fovea_status, GetNumSignatureInputs, (fovea_signature signature, size_t *out))                                  \
  F(fovea_status, GetNumSignatureOutputs, (fovea_signature signature, size_t *out))                                 \
  F(fovea_status, GetSignatureInputName,                                                                            \
    (fovea_signature signature, size_t index, const char *_Nullable *_Nonnull out))                                 \
  F(fovea_status, GetSignatureOutputName,                                                                           \
    (fovea_signature signature, size_t index, const char *_Nullable *_Nonnull out))                                 \
  F(fovea_status, GetSignatureInputTensorByIndex,                                                                   \
    (fovea_signature signature, size_t index, fovea_tensor _Nullable *_Nonnull out))                                         \
  F(fovea_status, GetSignatureOutputTensorByIndex,                                                                  \
    (fovea_signature signature, size_t index, fovea_tensor _Nullable *_Nonnull out))                                         \
  F(fovea_status, GetSignatureSubgraph, (fovea_signature signature, fovea_subgraph _Nullable *_Nonnull out))                 \
  F(fovea_status, GetMainModelSubgraphIndex, (fovea_model model, size_t *out))                                      \
  F(fovea_status, GetModelSubgraph, (fovea_model model, size_t index, fovea_subgraph _Nullable *_Nonnull out))               \
  F(fovea_status, GetTensorName, (fovea_tensor tensor, const char *_Nullable *_Nonnull out))                        \
  F(fovea_status, GetRankedTensorType, (fovea_tensor tensor, fovea_tensor_type *out))                               \
  F(fovea_status, GetQuantizationTypeId, (fovea_tensor tensor, int32_t *out))                                       \
  F(fovea_status, GetPerTensorQuantization, (fovea_tensor tensor, fovea_per_tensor_quantization *out))              \
  F(fovea_status, GetPerChannelQuantization, (fovea_tensor tensor, fovea_per_channel_quantization *out))            \
  F(fovea_status, CreateOptions, (fovea_options _Nullable *_Nonnull out))                                                    \
  F(void, DestroyOptions, (fovea_options options))                                                                  \
  F(fovea_status, SetOptionsHardwareAccelerators, (fovea_options options, int32_t accelerators))                    \
  F(fovea_status, CreateOpaqueOptions,                                                                              \
    (const char *identifier, void *payload, void (*destroy)(void *_Nullable), fovea_opaque_options _Nullable *_Nonnull out)) \
  F(fovea_status, AddOpaqueOptions, (fovea_options options, fovea_opaque_options opaque))                           \
  F(fovea_status, CreateCompiledModel,                                                                              \
    (fovea_environment environment, fovea_model model, fovea_options options, fovea_compiled_model _Nullable *_Nonnull out)) \
  F(void, DestroyCompiledModel, (fovea_compiled_model compiled))                                                    \
  F(fovea_status, GetCompiledModelInputTensorLayout,                                                                \
    (fovea_compiled_model compiled, size_t signature, size_t input, fovea_layout *out))                             \
  F(fovea_status, GetCompiledModelOutputTensorLayouts,                                                              \
    (fovea_compiled_model compiled, size_t signature, size_t count, fovea_layout *out, bool update))                \
  F(fovea_status, CompiledModelResizeInputTensor,                                                                   \
    (fovea_compiled_model compiled, size_t signature, size_t input, const int *dimensions, size_t rank))            \
  F(fovea_status, CompiledModelResizeInputTensorNonStrict,                                                          \
    (fovea_compiled_model compiled, size_t signature, size_t input, const int *dimensions, size_t rank))            \
  F(fovea_status, GetCompiledModelInputBufferRequirements,                                                          \
    (fovea_compiled_model compiled, size_t signature, size_t index, fovea_buffer_requirements _Nullable *_Nonnull out))      \
  F(fovea_status, GetCompiledModelOutputBufferRequirements,                                                         \
    (fovea_compiled_model compiled, size_t signature, size_t index, fovea_buffer_requirements _Nullable *_Nonnull out))      \
  F(fovea_status, GetTensorBufferRequirementsBufferSize, (fovea_buffer_requirements requirements, size_t *out))     \
  F(fovea_status, CreateTensorBufferFromHostMemory,                                                                 \
    (const fovea_tensor_type *type, void *memory, size_t size, void (*_Nullable destroy)(void *_Nullable),          \
     fovea_tensor_buffer _Nullable *_Nonnull out))                                                                           \
  F(void, DestroyTensorBuffer, (fovea_tensor_buffer buffer))                                                        \
  F(fovea_status, RunCompiledModel,                                                                                 \
    (fovea_compiled_model compiled, size_t signature, size_t input_count, fovea_tensor_buffer _Nonnull *_Nonnull inputs,     \
     size_t output_count, fovea_tensor_buffer _Nonnull *_Nonnull outputs))                                                   \
  F(fovea_status, SetCompiledModelCancellationFunction,                                                             \
    (fovea_compiled_model compiled, void *context, bool (*is_cancelled)(void *_Nullable)))                          \
  F(fovea_status, CompiledModelGetErrorMessages, (fovea_compiled_model compiled, char *_Nullable *_Nonnull out))    \
  F(fovea_status, CompiledModelClearErrors, (fovea_compiled_model compiled))

typedef struct {
#define FOVEA_FIELD(result, name, parameters) result(*name) parameters;
  FOVEA_LITERT_FUNCTIONS(FOVEA_FIELD)
#undef FOVEA_FIELD
} fovea_litert;

/// Opens the library at `path` and returns a table of its functions. Both stay valid as long as the process.
/// On failure it returns NULL, sets `result`, and writes a NUL-terminated text, truncated to its capacity, to
/// `detail`: the reason, or only the name of the missing symbol.
const fovea_litert *_Nullable fovea_litert_open(
    const char *path, fovea_load_result *result, char *detail, size_t detail_capacity);

/// Writes the absolute path of the program or shared library that contains this function, without a NUL.
/// Returns its length; 0 if it is not known or does not fit.
size_t fovea_own_file(char *path, size_t capacity);

/// A flag that one thread sets and LiteRT polls while a model runs.
typedef struct fovea_cancellation_s *fovea_cancellation;
fovea_cancellation _Nullable fovea_cancellation_create(void);
void fovea_cancellation_destroy(fovea_cancellation flag);
void fovea_cancellation_set(fovea_cancellation flag, bool cancelled);
bool fovea_cancellation_is_set(fovea_cancellation flag);
/// For SetCompiledModelCancellationFunction: `context` is a fovea_cancellation.
bool fovea_cancellation_poll(void *_Nullable context);

/// For CreateOpaqueOptions: copies `text` to the heap; `fovea_free` frees the copy.
char *fovea_copy(const char *text);
void fovea_free(void *_Nullable memory);

/// Diverts standard error into an anonymous file until `fovea_stderr_hold_end`. Returns 0, or -1 on failure
/// (then nothing is diverted and the end must not be called).
///
/// LiteRT 2.3 prints a line when it first makes its CPU delegate, which cannot be turned off.
int fovea_stderr_hold_begin(void);

/// Restores standard error and writes the held bytes to it, without lines that contain `chatter`.
/// Returns whether there was such a line.
bool fovea_stderr_hold_end(const char *chatter);

#pragma clang assume_nonnull end
