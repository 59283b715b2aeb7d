#!/usr/bin/env bash
# Makes resources/labs/recorded_runs.jsonl again: the runs of labs behind the scoreboard that comes with the program, a record a line, of which
# the table of qualities is kept, to eight digits (and of scheme_runs.jsonl that of the networks, of which some are not tested); and packing_run.json, cosine_runs.jsonl, scheme_runs.jsonl, capacity_runs.jsonl and far_quality.csv, more of them. Some hours of two slow cores: five before the networks of seeds 101 to 105.
#   resources/setup/recorded_runs.sh [FOLDER]    the runs are kept in FOLDER, and those that are there already are not made again: of a
#                                                changed command remove the folder
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
folder=${1:-$(mktemp -d)}
methods="vanilla; log_n; su_kappa; softmax_plus; infoscale; yarn; longrope; row_log; ssmax; llama4; log_power; eie; entropy_exact; entropy_mean_field; entropy_measured"
positions="rope; pi; ntk; yarn_rope; rerope:w=64"

make() {
  local name=$1
  shift
  [ -f "$folder/$name/run.json" ] || ./run lab "$@" --out "$folder/$name" >/dev/null
}
make retrieval max-retrieval --set most_items=256 --set methods="$methods; vanilla|adaptive"
make retrieval2 max-retrieval --set seed=2 --set heads=2 --set steps=100000 --set most_items=256 --set methods="$methods; vanilla|adaptive"
make masked masked-lm --set networks=5 --set length=100 --set methods="$methods" --set positions=rope
make cosine masked-lm --set networks=5 --set length=100 --set alpha=16 --set methods="$methods" --set positions=rope
for alpha in 8 32 64 128 600; do
  make "cosine$alpha" masked-lm --set networks=5 --set length=100 --set alpha=$alpha --set methods=vanilla --set positions=rope
done
make causal causal-lm --set steps=0 --set methods="$methods" --set positions="rerope; yarn_rope"
for seed in 2 3; do  # beside the one that comes with the program, which is seed 1
  make "causal$seed" causal-lm --set seed=$seed --set methods="$methods" --set positions="rerope; yarn_rope"
done
make tours routing --set steps=0 --set sets=512 --set methods="$methods" --set where=both
make vehicles routing --set vehicles=1 --set steps=0 --set sets=512 --set methods="$methods" --set where=both
make packing packing --set steps=0 --set sets=128 --set methods="$methods" --set where=both
for seed in 2 3 4 5; do  # beside those that come with the program, which are of seed 1
  make tours$seed routing --set seed=$seed --set sets=512 --set methods="$methods" --set where=both
  make vehicles$seed routing --set vehicles=1 --set seed=$seed --set steps=2000 --set sets=512 --set methods="$methods" --set where=both
  make packing$seed packing --set seed=$seed --set steps=1500 --set sets=128 --set methods="$methods" --set where=both
done
few="vanilla; softmax_plus; infoscale; su_kappa; entropy_exact; entropy_measured"
make tours50 routing --set steps=0 --set length=50 --set sets=256 --set methods="$few" --set where=both
make vehicles50 routing --set vehicles=1 --set steps=0 --set length=50 --set sets=256 --set methods="$few" --set where=both
make packing50 packing --set steps=0 --set length=50 --set sets=128 --set methods="vanilla; log_n; softmax_plus; entropy_exact; entropy_measured" --set where=both
for seed in 2 3; do
  make tours50_$seed routing --set length=50 --set seed=$seed --set steps=6000 --set sets=256 --set methods="$few" --set where=both
  make vehicles50_$seed routing --set vehicles=1 --set length=50 --set seed=$seed --set steps=3000 --set sets=256 --set methods="$few" --set where=both
  make packing50_$seed packing --set length=50 --set from=20 --set seed=$seed --set steps=1200 --set sets=128 --set methods="vanilla; log_n; softmax_plus; entropy_exact; entropy_measured" --set where=both
done
make recall recall --set networks=5 --set methods="$methods" --set positions="$positions"
make needles recall --set networks=5 --set scattered=1 --set methods="$methods" --set positions="$positions"
make copies recall --set networks=5 --set copied=1 --set fillers=480 --set heads=2 --set steps=20000 --set methods="$methods" --set positions="$positions"
make skips recall --set networks=5 --set skips=2 --set methods="$methods" --set positions=rope
table1="vanilla; softmax_plus; infoscale; yarn; entropy_exact"
windows="alibi; window:w=64; sink_window:w=64; lambda:w=64"
make schemes recall --set networks=5 --set methods="$table1" --set positions="$windows"
make schemes16 recall --set networks=5 --set alpha=16 --set methods="$table1" --set positions="$positions; $windows"
make schemes128 recall --set networks=5 --set alpha=128 --set methods="$table1" --set positions="$positions; $windows"
for alpha in 8 32; do
  make "schemes$alpha" recall --set networks=5 --set alpha=$alpha --set methods="$table1" --set positions="$positions; window:w=64"
done
make skips16 recall --set networks=5 --set skips=2 --set alpha=16 --set methods="$table1" --set positions=rope

for capacity in 10 15 20; do
  make capacity$capacity routing --set vehicles=1 --set capacity=$capacity --set whole_demands=0 --set networks=3 --set steps=2000 --set sets=512 \
    --set methods="vanilla; log_n; su_kappa; softmax_plus; infoscale; eie; entropy_exact; entropy_measured" --set where=both
done
make longer masked-lm --set networks=5
make rescue masked-lm --set networks=5 --set base=10000 --set positions="rope; rerope"
make trained_su masked-lm --set networks=5 --set train="vanilla; softmax_plus:B=512" --set methods="vanilla; softmax_plus:B=512"
learning() {
  make $1 max-retrieval --set seed=$2 --set heads=$3 --set steps=3000 --set sets=256 --set most_items=1024 --set methods=vanilla \
    --set train="vanilla|adaptive; vanilla|entmax15; vanilla|sparsemax; vanilla|sigmoid; log_n; softmax_plus:B=16; constraint"
}
learning learned 1 5
others="vanilla; softmax_plus; infoscale; entropy_exact; entropy_measured"  # by networks that nothing here was written from
make again_masked masked-lm --set seed=101 --set networks=5 --set length=100 --set methods="$others"
make again_cosine masked-lm --set seed=101 --set networks=5 --set length=100 --set alpha=16 --set methods="$others"
make again_rescue masked-lm --set seed=101 --set networks=5 --set base=10000 --set positions="rope; rerope" --set methods="vanilla; softmax_plus; infoscale"
learning again_learned 101 20
make again_recall recall --set seed=101 --set networks=5 --set methods="$others" --set positions="ntk; rerope:w=64"
make again_skips recall --set seed=101 --set networks=5 --set skips=2 --set methods="$others" --set positions=rope
scales="vanilla; softmax_plus; infoscale; entropy_exact"
for seed in {101..105}; do
  make again_packing$seed packing --set steps=1500 --set sets=128 --set seed=$seed --set where=both --set methods="$others"
  make again_vehicles$seed routing --set vehicles=1 --set steps=2000 --set sets=512 --set seed=$seed --set where=both --set methods="$scales"
  make again_tours$seed routing --set sets=512 --set seed=$seed --set where=both --set methods="$scales"
done
make far recall --set networks=5 --set most=64 --set methods="vanilla; log_n; softmax_plus; infoscale; yarn; row_log; ssmax; entropy_exact" --set positions="rope; ntk; rerope:w=64"

records() {
  kept=${kept:-quality table1} python3 - "$folder" "$@" <<'PYTHON'
import json, os, sys

def rounded(cell):
    return float("%.8g" % cell) if isinstance(cell, float) else cell

for name in sys.argv[2:]:
    run = json.load(open(f"{sys.argv[1]}/{name}/run.json"))
    run["tables"] = {id: {"columns": table["columns"], "rows": [[rounded(cell) for cell in row] for row in table["rows"]]}
                     for id, table in run["tables"].items() if id in os.environ["kept"].split()}
    run.update(pictures=[], tours=[], packings=[], files=[])
    run.pop("checksum", None)  # of what was rounded it says nothing
    print(json.dumps(run, separators=(",", ":"), ensure_ascii=False))
PYTHON
}
records retrieval masked cosine causal tours vehicles causal2 causal3 tours50 vehicles50 packing50 recall needles copies skips \
  tours{2..5} vehicles{2..5} packing{2..5} vehicles50_{2,3} packing50_{2,3} tours50_{2,3} retrieval2 >resources/labs/recorded_runs.jsonl
records cosine8 cosine32 cosine64 cosine128 cosine600 >resources/labs/cosine_runs.jsonl
kept="quality networks" records schemes schemes{16,128} skips16 schemes{8,32} >resources/labs/scheme_runs.jsonl
records capacity{10,15,20} >resources/labs/capacity_runs.jsonl
for name in far longer rescue trained_su again_{masked,cosine,rescue}; do
  cp "$folder/$name/quality.csv" resources/labs/${name}_quality.csv
done
./run scoreboard --without-shipped --runs "$folder"/again_{masked,cosine,recall,skips,{packing,vehicles,tours}{101..105}} --format csv | python3 -c '
import csv, sys
columns = ["task", "method", "n_over_train", "value", "gain", "stderr", "p", "networks"]
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(columns)
for row in csv.DictReader(sys.stdin):
    table.writerow(["%.8g" % float(row[one]) if row[one] and one in columns[3:7] else row[one] for one in columns])
' >resources/labs/other_seeds.csv
python3 - "$folder" 0=again_masked 16=again_cosine <<'PYTHON' >resources/labs/cosine_training.csv
import csv, sys  # means of 50 steps

table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["alpha", "seed", "step", "loss"])
for alpha, name in (said.split("=") for said in sys.argv[2:]):
    losses = {}
    for row in csv.DictReader(open(f"{sys.argv[1]}/{name}/training.csv")):
        losses.setdefault((row["seed"], (int(row["step"]) + 49) // 50 * 50), []).append(float(row["loss"]))
    for (seed, step), some in losses.items():
        table.writerow([alpha, seed, step, "%.6g" % (sum(some) / len(some))])
PYTHON
cp "$folder/learned/learned.csv" resources/labs/heads_that_learn.csv
cp "$folder/again_learned/learned.csv" resources/labs/again_heads_that_learn.csv
records packing >resources/labs/packing_run.json
