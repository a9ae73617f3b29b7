# Completion of torchgate in bash: `torchgate completion bash`.
_torchgate_runs() {
  local file
  for file in .torchgate/runs/*.json; do
    file=${file##*/} file=${file%.json}
    [[ $file != '*' && $file == "$cur"* ]] && COMPREPLY+=("$file")
  done
  _torchgate_files -f
}
_torchgate_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
}
_torchgate_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}
_torchgate() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev="" command="" word i values="" options arguments
  ((COMP_CWORD == 0)) || prev=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # "--format=json" is three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    # The value of an option of all commands.
    [[ ${COMP_WORDS[i - 1]} != --config && ${COMP_WORDS[i - 1]} != --color ]] || continue
    case "${command:+$command }$word" in
      "run" | "doctor" | "calibrate" | "import" | "ab" | "compare" | "gate" | "accept" | "baseline" | "baseline add" | "baseline list" | "baseline show" | "baseline pin" | "baseline unpin" | "baseline pull" | "baseline push" | "report" | "explain" | "history" | "bisect" | "advise" | "store" | "store copy" | "store migrate" | "merge" | "comment" | "perf" | "triage" | "unpack" | "help" | "completion") command="${command:+$command }$word" ;;
    esac
  done
  case $command in
    "run") options="--suite --suite-dir --filter --quick --full --instructions --counter --seed --save --processes --warmup --samples --threads --allocator --ranks-with --device-metric --group-limit --total-limit --policy-from --allow-noisy --better --shard --shards --shard-plan --resume --run-recorded-files --skip-unchanged --store --log --list --json --config --color --help -h --version" arguments="" ;;
    "doctor") options="--format --json --write --threads --config --color --help -h --version" arguments="" ;;
    "calibrate") options="--suite --suite-dir --runs --from --run-cost --format --write --json --markdown --quiet --filter --quick --full --instructions --counter --seed --processes --store --threads --allocator --ranks-with --device-metric --group-limit --total-limit --config --color --help -h --version" arguments="" ;;
    "import") options="--save --better --config --color --help -h --version" arguments=files ;;
    "ab") options="--before --after --build --suites --budget --pair-plan --shard --store --resume --run-recorded-files --every-pair --vary --filter --quick --full --instructions --counter --seed --warmup --samples --pairs --save --threads --allocator --ranks-with --device-metric --group-limit --total-limit --better --allow-noisy --rule --gate --policy-from --waivers --format --write --json --markdown --html --quiet --verbose --config --color --help -h --version" arguments="" ;;
    "compare") options="--run-recorded-files --skip-unchanged --common --vary --better --allow-noisy --rule --gate --policy-from --waivers --budget --format --write --json --markdown --html --quiet --verbose --config --color --help -h --version" arguments=runs ;;
    "gate") options="--suite --suite-dir --now --filter --quick --full --instructions --counter --warmup --samples --save --against --common --since --store --confirm --unconfirmed --pairs --commit --head --seed --pair-plan --pairs-from --without-pairs --baseline-of --skip-own-commit --run-recorded-files --budget --measure-unchanged --threads --allocator --ranks-with --device-metric --group-limit --total-limit --better --allow-noisy --rule --gate --policy-from --waivers --format --write --json --markdown --html --quiet --verbose --config --color --help -h --version" arguments=runs ;;
    "accept") options="--reason --metric --ceiling --expires --report --by --commit --waivers --config --color --help -h --version" arguments="" ;;
    "baseline") options="--config --color --help -h --version" arguments="add list show pin unpin pull push" ;;
    "baseline add") options="--uncommitted --without-objects --objects-only --store --config --color --help -h --version" arguments=runs ;;
    "baseline list") options="--all-hosts --json --store --config --color --help -h --version" arguments="" ;;
    "baseline show") options="--format --write --json --markdown --html --quiet --verbose --store --config --color --help -h --version" arguments=runs ;;
    "baseline pin") options="--commit --move --store --config --color --help -h --version" arguments=runs ;;
    "baseline unpin") options="--store --config --color --help -h --version" arguments="" ;;
    "baseline pull") options="--remote --branch --store --config --color --help -h --version" arguments="" ;;
    "baseline push") options="--remote --objects-up-to --branch --store --config --color --help -h --version" arguments="" ;;
    "report") options="--site --host --store --output -o --format --write --json --markdown --html --quiet --verbose --vary --better --allow-noisy --rule --gate --config --color --help -h --version" arguments=runs ;;
    "explain") options="--store --format --write --json --markdown --quiet --verbose --config --color --help -h --version" arguments=runs ;;
    "history") options="--store --alpha --margin --host --uncommitted --format --write --json --markdown --quiet --verbose --config --color --help -h --version" arguments="" ;;
    "bisect") options="--from --good --bad --build --suites --first-parent --quick --full --warmup --samples --step-pairs --resume --json --pairs --threads --allocator --ranks-with --device-metric --group-limit --total-limit --better --allow-noisy --rule --gate --policy-from --config --color --help -h --version" arguments="" ;;
    "advise") options="--store --fail-under --format --write --json --markdown --quiet --verbose --config --color --help -h --version" arguments=runs ;;
    "store") options="--config --color --help -h --version" arguments="copy migrate" ;;
    "store copy") options="--config --color --help -h --version" arguments="" ;;
    "store migrate") options="--store --config --color --help -h --version" arguments="" ;;
    "merge") options="--save --config --color --help -h --version" arguments=files ;;
    "comment") options="--begin --target --report --markdown --failed --neutral --pull-request --head --head-repository --repository --author --name --key --show-key --run-id --no-verdict-fails --commands --no-comment --no-check --config --color --help -h --version" arguments="" ;;
    "perf") options="--output --workflow --artifact --repository --author --name --key --refused --config --color --help -h --version" arguments="" ;;
    "triage") options="--report --repairs --open --states --json --repository --author --key --dry-run --config --color --help -h --version" arguments="" ;;
    "unpack") options="--run-id --artifact --artifact-id --into --config --color --help -h --version" arguments=files ;;
    "help") options="--man --config --color --help -h --version" arguments="ab accept advise agent baseline bisect calibrate comment compare completion doctor exit-codes explain gate help history import merge perf policy report run store triage unpack verdicts" ;;
    "completion") options="--config --color --help -h --version" arguments="bash fish zsh" ;;
    *) options="--config --color --help -h --version" arguments="run doctor calibrate import ab compare gate accept baseline report explain history bisect advise store merge comment perf triage unpack help completion" ;;
  esac
  case "$command $prev" in
    "run --counter" | "calibrate --counter" | "ab --counter" | "gate --counter") values="any callgrind hardware" ;;
    *" --color") values="auto always never" ;;
    "run --ranks-with" | "calibrate --ranks-with" | "ab --ranks-with" | "gate --ranks-with" | "bisect --ranks-with") values="auto torchgate srun" ;;
    "ab --rule" | "compare --rule" | "gate --rule" | "report --rule" | "bisect --rule") values="default textbook welch history paired exact" ;;
    "gate --confirm") values="none regressions all" ;;
    "run --allocator" | "calibrate --allocator" | "ab --allocator" | "gate --allocator" | "bisect --allocator") values="steady system" ;;
    "ab --format" | "compare --format" | "gate --format" | "baseline show --format" | "report --format") values="terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch" ;;
    "doctor --format" | "calibrate --format" | "explain --format" | "history --format" | "advise --format") values="terminal markdown json" ;;
    "run --device-metric" | "calibrate --device-metric" | "ab --device-metric" | "gate --device-metric" | "bisect --device-metric") values="time gpu_time_hot gpu_time_cold" ;;
    "gate --unconfirmed") values="warn beyond fail" ;;
    "run --suite" | "run --suite-dir" | "run --shard-plan" | "run --log" | "calibrate --suite" | "calibrate --suite-dir" | "calibrate --json" | "calibrate --markdown" | "ab --before" | "ab --after" | "ab --suites" | "ab --pair-plan" | "ab --waivers" | "ab --json" | "ab --markdown" | "ab --html" | "compare --waivers" | "compare --json" | "compare --markdown" | "compare --html" | "gate --suite" | "gate --suite-dir" | "gate --pair-plan" | "gate --pairs-from" | "gate --baseline-of" | "gate --waivers" | "gate --json" | "gate --markdown" | "gate --html" | "accept --report" | "accept --waivers" | "baseline show --json" | "baseline show --markdown" | "baseline show --html" | "report --output" | "report -o" | "report --json" | "report --markdown" | "report --html" | "explain --json" | "explain --markdown" | "history --json" | "history --markdown" | "bisect --from" | "bisect --suites" | "bisect --json" | "advise --json" | "advise --markdown" | "comment --report" | "comment --markdown" | "perf --output" | "triage --report" | "triage --repairs" | "triage --states" | "triage --json" | *" --config") values=files ;;
    "run --store" | "calibrate --store" | "ab --store" | "gate --store" | "baseline add --store" | "baseline list --store" | "baseline show --store" | "baseline pin --store" | "baseline unpin --store" | "baseline pull --store" | "baseline push --store" | "report --site" | "report --store" | "explain --store" | "history --store" | "advise --store" | "store migrate --store" | "unpack --into") values=folders ;;
    "run --filter" | "run --seed" | "run --save" | "run --processes" | "run --warmup" | "run --samples" | "run --threads" | "run --group-limit" | "run --total-limit" | "run --policy-from" | "run --better" | "run --shard" | "run --shards" | "run --resume" | "doctor --write" | "doctor --threads" | "calibrate --runs" | "calibrate --run-cost" | "calibrate --write" | "calibrate --filter" | "calibrate --seed" | "calibrate --processes" | "calibrate --threads" | "calibrate --group-limit" | "calibrate --total-limit" | "import --save" | "import --better" | "ab --build" | "ab --budget" | "ab --shard" | "ab --resume" | "ab --vary" | "ab --filter" | "ab --seed" | "ab --warmup" | "ab --samples" | "ab --pairs" | "ab --save" | "ab --threads" | "ab --group-limit" | "ab --total-limit" | "ab --better" | "ab --gate" | "ab --policy-from" | "ab --write" | "compare --vary" | "compare --better" | "compare --gate" | "compare --policy-from" | "compare --budget" | "compare --write" | "gate --filter" | "gate --warmup" | "gate --samples" | "gate --save" | "gate --since" | "gate --pairs" | "gate --commit" | "gate --head" | "gate --seed" | "gate --without-pairs" | "gate --budget" | "gate --threads" | "gate --group-limit" | "gate --total-limit" | "gate --better" | "gate --gate" | "gate --policy-from" | "gate --write" | "accept --reason" | "accept --metric" | "accept --ceiling" | "accept --expires" | "accept --by" | "accept --commit" | "baseline show --write" | "baseline pin --commit" | "baseline pull --remote" | "baseline pull --branch" | "baseline push --remote" | "baseline push --objects-up-to" | "baseline push --branch" | "report --host" | "report --write" | "report --vary" | "report --better" | "report --gate" | "explain --write" | "history --alpha" | "history --margin" | "history --host" | "history --write" | "bisect --good" | "bisect --bad" | "bisect --build" | "bisect --warmup" | "bisect --samples" | "bisect --step-pairs" | "bisect --pairs" | "bisect --threads" | "bisect --group-limit" | "bisect --total-limit" | "bisect --better" | "bisect --gate" | "bisect --policy-from" | "advise --fail-under" | "advise --write" | "merge --save" | "comment --failed" | "comment --neutral" | "comment --pull-request" | "comment --head" | "comment --head-repository" | "comment --repository" | "comment --author" | "comment --name" | "comment --key" | "comment --run-id" | "perf --workflow" | "perf --artifact" | "perf --repository" | "perf --author" | "perf --name" | "perf --key" | "perf --refused" | "triage --repository" | "triage --author" | "triage --key" | "unpack --run-id" | "unpack --artifact" | "unpack --artifact-id") values=none ;;
    "calibrate --from" | "gate --against") values=runs ;;
  esac
  if [[ $cur == -* ]]; then _torchgate_words "$options"; return; fi
  case $values in
    files) _torchgate_files -f; return ;;
    folders) _torchgate_files -d; return ;;
    runs) _torchgate_runs; return ;;
    none) return ;;
    ?*) _torchgate_words "$values"; return ;;
  esac
  case $arguments in
    files) _torchgate_files -f ;;
    runs) _torchgate_runs ;;
    *) _torchgate_words "$arguments" ;;
  esac
}
complete -F _torchgate torchgate
