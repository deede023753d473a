# SPDX-License-Identifier: Apache-2.0
"""Trains Fovea's embedded models again, and whole detectors of your own."""
