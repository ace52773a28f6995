#!/bin/bash
#SBATCH --job-name=ggufgate-scan
#SBATCH --array=0-19
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
# A list of models judged by the twenty tasks of an array. LIST has a path or an address in each line, RESULTS is a
# folder that all nodes see; a task that is queued again goes on where it was. Then, once:
#   python3 -m ggufgate.shards merge "$LIST" --output "$RESULTS"
#
#   sbatch --export=ALL,LIST=models.txt,RESULTS=results slurm-scan.sh
set -euo pipefail
exec python3 -m ggufgate.shards judge "$LIST" --output "$RESULTS" --tasks "$SLURM_ARRAY_TASK_COUNT" --always-zero
