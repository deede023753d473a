#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Finds objects with a Slurm array, one core per shard:
# sbatch Examples/Scale/slurm_detect.sh PHOTOS RESULTS [OPTION…]
#SBATCH --job-name=fovea-detect
#SBATCH --array=0-15
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --output=fovea-%A-%a.log
#SBATCH --requeue
set -uo pipefail

if [ $# -lt 2 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "usage: sbatch --array=0-15 $0 PHOTOS RESULTS [OPTION…]" >&2
  echo "       FOVEA_SHARDS=16 sbatch --array=3,7 … runs two of 16 shards again" >&2
  exit 64
fi
photos=$1 results=$2
shift 2
shard=$SLURM_ARRAY_TASK_ID count=${FOVEA_SHARDS:-${SLURM_ARRAY_TASK_COUNT:-16}}
mkdir -p "$results"
fovea detect "$photos" --recursive --shard "$shard/$count" --jobs 1 --quiet --output "$results/$shard.jsonl" --resume "$@"
status=$?
# 1: finished, but some images failed. Their rows have the error.
[ "$status" -eq 1 ] && exit 0
exit "$status"
