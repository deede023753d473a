#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command for spark-submit: ``spark-submit fovea-spark.py detect INPUT OUTPUT``."""

import sys

from fovea_spark._command import main

if __name__ == "__main__":
    sys.exit(main())
