#!/bin/bash
#SBATCH --job-name=ggufgate-scan
#SBATCH --array=0-19
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
# Twenty tasks of an array check a list of models. LIST has one path or address per line. RESULTS is a folder that all
# nodes share; a requeued task continues. Afterwards, run once:
#   python3 -m ggufgate.shards merge "$LIST" --output "$RESULTS"
#
#   sbatch --export=ALL,LIST=models.txt,RESULTS=results slurm-scan.sh
set -euo pipefail
exec python3 -m ggufgate.shards judge "$LIST" --output "$RESULTS" --tasks "$SLURM_ARRAY_TASK_COUNT" --always-zero
