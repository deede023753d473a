// SPDX-License-Identifier: Apache-2.0

#pragma once

/// How often the slow paths of Swift's Mutex were passed with their annotations; 0 where they are not in place.
unsigned long fovea_annotated_locks(void);
