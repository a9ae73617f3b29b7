#compdef torchgate
# Completion of torchgate in zsh: `torchgate completion zsh`.
_torchgate_runs() {
  local -a runs
  runs=(.torchgate/runs/*.json(N:t:r))
  _alternative 'runs:run:compadd -a runs' 'files:file:_files'
}
_torchgate_baseline() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
    'add:Add a run and its binaries as the baseline of its commit'
    'list:List the stored runs, oldest first, and the pins'
    'show:Show one stored run, or that of a pin'
    'pin:Name the stored runs of a commit, such as a release, for `gate --since`'
    'unpin:Remove a pin; its runs stay'
    'pull:Copy what the data branch has and the store lacks'
    'push:Append to the data branch what it lacks, never by force'
  )
  _arguments -C -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument) case $words[1] in
      add) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:RUN:_torchgate_runs' \
        '--uncommitted[Also accept a run of a modified work tree; it is not tied to a commit]' \
        '--without-objects[Do not store executables and libraries; suspects can be confirmed only where these are found or rebuilt]' \
        '--objects-only[Store only the executables and libraries of this run, which may be one shard]' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      list) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--all-hosts[List runs of all hosts (the default)]' \
        '--json[Print JSON]' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      show) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:RUN:_torchgate_runs' \
        '--format=[Print this format (default terminal)\: terminal, markdown, html, json, junit, github, gitlab, prometheus, bencher, github-action-benchmark, github-action-benchmark-bigger, nyrkio or pytorch]:NAME:(terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the report as JSON]:FILE:_files' \
        '--markdown=[Also write the report as Markdown]:FILE:_files' \
        '--html=[Also write the report as one HTML page]:FILE:_files' \
        '--quiet[Do not print the report]' \
        '--verbose[List every case, including those within the margin, and define the terms]' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      pin) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:NAME: ' \
        '2:RUN:_torchgate_runs' \
        '--commit=[Pin the stored runs of this commit (default HEAD)]:COMMIT: ' \
        '--move[Replace an existing pin of this name]' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      unpin) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:NAME: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      pull) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--remote=[Remote of this repository, URL or folder (default origin)]:REMOTE: ' \
        '--branch=[The data branch (default torchgate-baselines)]:NAME: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
      push) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--remote=[Remote of this repository, URL or folder (default origin)]:REMOTE: ' \
        '--objects-up-to=[Also push executables and libraries of at most this many bytes (default 0\: none)]:BYTES: ' \
        '--branch=[The data branch (default torchgate-baselines)]:NAME: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
    esac ;;
  esac
}
_torchgate_store() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
    'copy:Copy one store into another one, folder or PostgreSQL; stored runs are skipped'
    'migrate:Make a store, or bring its schema to the version of this torchgate'
  )
  _arguments -C -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument) case $words[1] in
      copy) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:FROM: ' \
        '2:TO: '
 ;;
      migrate) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/'
 ;;
    esac ;;
  esac
}
_torchgate() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
    'run:Measure suites and save the results'
    'doctor:Check whether this machine is quiet enough to benchmark on, and how to fix it'
    'calibrate:Measure one build repeatedly\: noise, smallest detectable slow-down, false alarms per rule'
    'import:Import result files of other tools as one run'
    'ab:Measure two builds or commits in interleaved pairs and compare them'
    'compare:Compare two runs, or measure again and compare with one run'
    'gate:Compare this build with its baseline\: in pairs from the start (--suite), or a run that was measured before'
    'accept:Accept a slow-down\: add a waiver to torchgate-waivers.toml'
    'baseline:Add, list, show, pin and share baselines'
    'report:Show one run or the comparison of two in a chosen format, or a store as web pages'
    'explain:Show why a case'\''s time changed\: operators, counters, processes'
    'history:Show where a case'\''s level changed over the stored runs'
    'bisect:Find the commit that made cases slower\: git bisect, with pairs at each step'
    'advise:Show which optimisations the models of a run leave out, by what the run recorded'
    'store:Copy stores, and bring those in PostgreSQL to this version'
    'merge:Combine shard results into one run (run --shard i/n)'
    'comment:Post the verdict on a pull request on GitHub\: one comment, updated in place, and one check'
    'perf:Answer /perf accept CASE REASON and /perf rerun in a pull request'\''s thread (event issue_comment)'
    'triage:Keep one issue on GitHub per cause of regressions on the default branch\: created, updated, closed'
    'unpack:Unpack the artifact (a zip file) of an untrusted job; whatever is not a plain result file is refused'
    'help:Show this list, the help of a command, or one of the topics below'
    'completion:Print what completes commands and options in bash, zsh or fish'
  )
  _arguments -C -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument) case $words[1] in
      run) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*--suite=[Suite executable, or folder of suites (repeatable; default\: run.suites in torchgate.toml)]:PATH:_files' \
        '*--suite-dir=[Suite executable, or folder of suites (repeatable; default\: run.suites in torchgate.toml)]:PATH:_files' \
        '--filter=[Measure only cases whose name matches this regular expression (RE2 syntax)]:REGEX: ' \
        '--quick[Take a fifth of the time, with less statistical power]' \
        '--full[Measure also the cases that are too long for every run (those that suites mark with only_full())]' \
        '--instructions[Also count the instructions of each case, in processes that time nothing (with the CPU'\''s counter, or Callgrind); --quick counts one call]' \
        '--counter=[With --instructions\: any, callgrind or hardware]:NAME:(any callgrind hardware)' \
        '--seed=[Seed of all random orders (default\: random; it is recorded)]:N: ' \
        '--save=[Save the run under this name (replaces an existing one)]:NAME: ' \
        '--processes=[Processes per group (default 5)]:N: ' \
        '--warmup=[At least so many calls before the first sample of a case (default\: 10, for at least 50 ms)]:CALLS: ' \
        '--samples=[So many samples of each case and process (default\: 40 to 400, as 0.3 s pay for)]:N: ' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: ' \
        '--allocator=[malloc of the suites\: steady (default) or system (as the C library does it)]:NAME:(steady system)' \
        '--ranks-with=[What starts groups with ranks\: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a job with several tasks or nodes)]:PROGRAM:(auto torchgate srun)' \
        '--device-metric=[What cases on a GPU are judged by\: time (default), gpu_time_hot or gpu_time_cold (the device'\''s own)]:METRIC:(time gpu_time_hot gpu_time_cold)' \
        '--group-limit=[Kill a process after this many seconds (default 600)]:SECONDS: ' \
        '--total-limit=[Start no more processes after this many seconds (default 18000)]:SECONDS: ' \
        '--policy-from=[Read torchgate.toml and waivers from this commit (default in a pull request\: the base branch)]:REF: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--shard=[Measure shard I of N (from 1); run all N with the same flags, then `torchgate merge`]:I/N: ' \
        '--shards=[Write a --shard-plan that splits the groups into N shards by their previous run time, then exit]:N: ' \
        '--shard-plan=[Shard plan\: written with --shards N, read with --shard I/N]:FILE:_files' \
        '--resume=[Resume an interrupted or killed run with its plan, seed and name]:\[ID\]: ' \
        '--run-recorded-files[With --resume\: run recorded programs that this workspace has not launched before (default\: only those, and the copies in the store); use it only in a job that may run any code, with records that you trust]' \
        '--skip-unchanged[Do not measure groups whose executable, libraries and files read are the same as in the baseline of this commit; `torchgate gate` calls their cases unchanged]' \
        '--store=[With --skip-unchanged\: the baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--log=[Append a JSON line for each process and case to FILE while measuring (reports/schemas/log.schema.json)]:FILE:_files' \
        '--list[List what would run and how long it would take, then exit]' \
        '--json[With --list\: print JSON]'
 ;;
      doctor) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--format=[Print this format (default terminal)\: terminal, markdown or json]:NAME:(terminal markdown json)' \
        '--json[Print JSON]' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: '
 ;;
      calibrate) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*--suite=[Suite executable, or folder of suites (repeatable; default\: run.suites in torchgate.toml)]:PATH:_files' \
        '*--suite-dir=[Suite executable, or folder of suites (repeatable; default\: run.suites in torchgate.toml)]:PATH:_files' \
        '--runs=[Number of runs (default 6)]:N: ' \
        '*--from=[Use these runs (oldest first) instead of measuring]:RUN:_torchgate_runs' \
        '--run-cost=[Fixed cost of a run in seconds, before its first process (default 30)]:SECONDS: ' \
        '--format=[Print this format (default terminal)\: terminal, markdown or json]:NAME:(terminal markdown json)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the calibration as JSON]:FILE:_files' \
        '--markdown=[Also write the calibration as Markdown]:FILE:_files' \
        '--quiet[Do not print the calibration]' \
        '--filter=[Measure only cases whose name matches this regular expression (RE2 syntax)]:REGEX: ' \
        '--quick[Take a fifth of the time, with less statistical power]' \
        '--full[Measure also the cases that are too long for every run (those that suites mark with only_full())]' \
        '--instructions[Also count the instructions of each case, in processes that time nothing (with the CPU'\''s counter, or Callgrind); --quick counts one call]' \
        '--counter=[With --instructions\: any, callgrind or hardware]:NAME:(any callgrind hardware)' \
        '--seed=[Seed of all random orders (default\: random; it is recorded)]:N: ' \
        '--processes=[Processes per group (5)]:N: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: ' \
        '--allocator=[malloc of the suites\: steady (default) or system (as the C library does it)]:NAME:(steady system)' \
        '--ranks-with=[What starts groups with ranks\: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a job with several tasks or nodes)]:PROGRAM:(auto torchgate srun)' \
        '--device-metric=[What cases on a GPU are judged by\: time (default), gpu_time_hot or gpu_time_cold (the device'\''s own)]:METRIC:(time gpu_time_hot gpu_time_cold)' \
        '--group-limit=[Kill a process after this many seconds (default 600)]:SECONDS: ' \
        '--total-limit=[Start no more processes after this many seconds (default 18000)]:SECONDS: '
 ;;
      import) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*:FILE:_files' \
        '--save=[Save the run under this name (replaces an existing one)]:NAME: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: '
 ;;
      ab) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*--before=[Old side\: a suite, a folder of suites (repeatable), or a commit]:PATH|COMMIT:_files' \
        '*--after=[New side; an existing path wins over a commit of the same name]:PATH|COMMIT:_files' \
        '--build=[Shell command that builds a commit, run in a temporary work tree below .torchgate; {dir} is its path, quoted for the shell; submodules are not fetched. With --vary libtorch=...\: builds this folder into {dir}, with LibTorch in TORCHGATE_TORCH_ROOT and CMAKE_PREFIX_PATH]:CMD: ' \
        '*--suites=[The built suites, relative to the work tree or {dir} (repeatable; default\: run.suites; with --vary libtorch=...\: required but in a checkout of torchgate)]:PATH:_files' \
        '--budget=[Start no pair after this time (90s, 5m, 1h30m; without building), or after this many pairs in total ("24 pairs"); undecided cases are inconclusive]:BUDGET: ' \
        '--pair-plan=[Measure the pairs listed by `torchgate gate --pair-plan FILE`, without a verdict]:FILE:_files' \
        '--shard=[With --pair-plan\: measure the pairs of shard I of N (from 1), whole groups; make one run of all N with `torchgate merge`]:I/N: ' \
        '--store=[With --pair-plan\: the baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--resume=[Resume interrupted or killed pairs]:\[ID\]: ' \
        '--run-recorded-files[With --pair-plan or --resume\: run recorded programs that this workspace has not launched before (default\: only those, and the copies in the store); use it only in a job that may run any code, with records that you trust]' \
        '--every-pair[Measure all pairs even after the verdict is clear (for studies)]' \
        '*--vary=[A difference between the sides that is intended, e.g. libtorch; it is not reported as a doubt (repeatable); libtorch=VERSION_OR_DIR builds this folder against it and the current one (given twice\: before and after) and says what the upgrade does\: slower cases fail only with --gate]:NAME: ' \
        '--filter=[Measure only cases whose name matches this regular expression (RE2 syntax)]:REGEX: ' \
        '--quick[Take a fifth of the time, with less statistical power]' \
        '--full[Measure also the cases that are too long for every run (those that suites mark with only_full())]' \
        '--instructions[Also count the instructions of each case, in processes that time nothing (with the CPU'\''s counter, or Callgrind); --quick counts one call]' \
        '--counter=[With --instructions\: any, callgrind or hardware]:NAME:(any callgrind hardware)' \
        '--seed=[Seed of all random orders (default\: random; it is recorded)]:N: ' \
        '--warmup=[At least so many calls before the first sample of a case (default\: 10, for at least 50 ms)]:CALLS: ' \
        '--samples=[So many samples of each case and process (default\: 40 to 400, as 0.3 s pay for)]:N: ' \
        '--pairs=[Maximum number of pairs per group (default 48); a group stops when its cases are decided]:N: ' \
        '--save=[Save the pairs under this name]:NAME: ' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: ' \
        '--allocator=[malloc of the suites\: steady (default) or system (as the C library does it)]:NAME:(steady system)' \
        '--ranks-with=[What starts groups with ranks\: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a job with several tasks or nodes)]:PROGRAM:(auto torchgate srun)' \
        '--device-metric=[What cases on a GPU are judged by\: time (default), gpu_time_hot or gpu_time_cold (the device'\''s own)]:METRIC:(time gpu_time_hot gpu_time_cold)' \
        '--group-limit=[Kill a process after this many seconds (default 600)]:SECONDS: ' \
        '--total-limit=[Start no more processes after this many seconds (default 18000)]:SECONDS: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '--rule=[Statistical rule\: default, textbook, welch, history, paired or exact]:NAME:(default textbook welch history paired exact)' \
        '--gate=[Fail the build on a confirmed slow-down of at least this fraction (default 0.05)]:FRACTION: ' \
        '--policy-from=[Read torchgate.toml and waivers from this commit (default in a pull request\: the base branch)]:REF: ' \
        '*--waivers=[Also apply the waivers of this file (repeatable); one of the same case and metric replaces the policy'\''s. Trusted, also in a pull request\: name no file of the change]:FILE:_files' \
        '--format=[Print this format (default terminal)\: terminal, markdown, html, json, junit, github, gitlab, prometheus, bencher, github-action-benchmark, github-action-benchmark-bigger, nyrkio or pytorch]:NAME:(terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the report as JSON]:FILE:_files' \
        '--markdown=[Also write the report as Markdown]:FILE:_files' \
        '--html=[Also write the report as one HTML page]:FILE:_files' \
        '--quiet[Do not print the report]' \
        '--verbose[List every case, including those within the margin, and define the terms]'
 ;;
      compare) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:BEFORE:_torchgate_runs' \
        '2:AFTER:_torchgate_runs' \
        '*:MORE:_torchgate_runs' \
        '--run-recorded-files[Without AFTER\: run recorded programs that this workspace has not launched before (default\: only those, and the copies in the store); use it only in a job that may run any code, with records that you trust]' \
        '--skip-unchanged[Without AFTER\: do not measure groups whose executable, libraries and files read are the same as in BEFORE]' \
        '--common[Judge only the cases of both sides, where one of them is a part of the other\: what one side alone has is counted in a note]' \
        '*--vary=[A difference between the sides that is intended, e.g. libtorch; it is not reported as a doubt (repeatable)]:NAME: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '--rule=[Statistical rule\: default, textbook, welch, history, paired or exact]:NAME:(default textbook welch history paired exact)' \
        '--gate=[Fail the build on a confirmed slow-down of at least this fraction (default 0.05)]:FRACTION: ' \
        '--policy-from=[Read torchgate.toml and waivers from this commit (default in a pull request\: the base branch)]:REF: ' \
        '*--waivers=[Also apply the waivers of this file (repeatable); one of the same case and metric replaces the policy'\''s. Trusted, also in a pull request\: name no file of the change]:FILE:_files' \
        '--budget=[Time for interleaved pairs of suspects and undecided cases\: 5m, "200 pairs", none (suspects only), or run (default\: suspects first, then as long as the run took)]:BUDGET: ' \
        '--format=[Print this format (default terminal)\: terminal, markdown, html, json, junit, github, gitlab, prometheus, bencher, github-action-benchmark, github-action-benchmark-bigger, nyrkio or pytorch]:NAME:(terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the report as JSON]:FILE:_files' \
        '--markdown=[Also write the report as Markdown]:FILE:_files' \
        '--html=[Also write the report as one HTML page]:FILE:_files' \
        '--quiet[Do not print the report]' \
        '--verbose[List every case, including those within the margin, and define the terms]'
 ;;
      gate) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:RUN:_torchgate_runs' \
        '*--suite=[Measure this suite, or folder of suites, in pairs with the baseline'\''s binaries from the start, without a run before (repeatable)]:PATH:_files' \
        '*--suite-dir=[Measure this suite, or folder of suites, in pairs with the baseline'\''s binaries from the start, without a run before (repeatable)]:PATH:_files' \
        '--now[The same for run.suites of torchgate.toml; also implied by --filter, --quick, --full, --instructions, --warmup and --samples]' \
        '--filter=[Measure only cases whose name matches this regular expression (RE2 syntax)]:REGEX: ' \
        '--quick[Take a fifth of the time, with less statistical power]' \
        '--full[Measure also the cases that are too long for every run (those that suites mark with only_full())]' \
        '--instructions[Also count the instructions of each case, in processes that time nothing (with the CPU'\''s counter, or Callgrind); --quick counts one call]' \
        '--counter=[With --instructions\: any, callgrind or hardware]:NAME:(any callgrind hardware)' \
        '--warmup=[At least so many calls before the first sample of a case (default\: 10, for at least 50 ms)]:CALLS: ' \
        '--samples=[So many samples of each case and process (default\: 40 to 400, as 0.3 s pay for)]:N: ' \
        '--save=[Save what is measured under this name (replaces an existing one)]:NAME: ' \
        '*--against=[Compare with this run instead of the baseline (repeatable\: nearest first, the others are pooled)]:RUN:_torchgate_runs' \
        '--common[Judge only the cases of both sides, where one of them is a part of the other\: what one side alone has is counted in a note]' \
        '--since=[Judge the change since this pin (`torchgate baseline pin`) in interleaved pairs of all cases; --gate and --budget then set gate.since (0.05) and gate.since_budget (1h)]:PIN: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--confirm=[Suspects to measure again in pairs\: none, regressions or all]:WHICH:(none regressions all)' \
        '--unconfirmed=[Action for an unconfirmed suspect\: warn, beyond or fail]:ACTION:(warn beyond fail)' \
        '--pairs=[Maximum number of interleaved pairs (default 48)]:N: ' \
        '--commit=[Refuse a run of another commit than this one (7 or more digits), with exit code 2\: in a job that judges what another one measured]:SHA: ' \
        '--head=[The change'\''s own newest commit, where the measured one is a merge of it that was made for the test (pull requests)\: `accept` writes it into waivers]:SHA: ' \
        '--seed=[Seed of the random order of the pairs (default\: derived from both runs)]:N: ' \
        '--pair-plan=[Write the suspects to FILE instead of measuring them; run `torchgate ab --pair-plan FILE` in another job]:FILE:_files' \
        '--pairs-from=[Judge these pairs of `torchgate ab --pair-plan` instead of measuring; they are checked against the plan]:FILE:_files' \
        '--without-pairs=[Judge without pairs, for this reason\: what needs them does not pass (exit code 3, or 1 where the screen alone fails)]:REASON: ' \
        '--baseline-of=[Compare with the baseline of this pair plan, as long as its runs are stored for ancestors, although nearer ones were stored since]:FILE:_files' \
        '--skip-own-commit[Do not compare with earlier runs of the same commit (default on a push in GitHub Actions and GitLab CI)]' \
        '--run-recorded-files[To confirm suspects\: run recorded programs that this workspace has not launched before (default\: only those, and the copies in the store); use it only in a job that may run any code, with records that you trust]' \
        '--budget=[Time for interleaved pairs of suspects and undecided cases\: 5m, "200 pairs", none (suspects only), or run (default\: suspects first, then as long as the run took)]:BUDGET: ' \
        '--measure-unchanged[Judge groups, too, whose executable, libraries and files are byte-identical on both sides (default\: their cases are unchanged)\: shows what this machine can see]' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: ' \
        '--allocator=[malloc of the suites\: steady (default) or system (as the C library does it)]:NAME:(steady system)' \
        '--ranks-with=[What starts groups with ranks\: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a job with several tasks or nodes)]:PROGRAM:(auto torchgate srun)' \
        '--device-metric=[What cases on a GPU are judged by\: time (default), gpu_time_hot or gpu_time_cold (the device'\''s own)]:METRIC:(time gpu_time_hot gpu_time_cold)' \
        '--group-limit=[Kill a process after this many seconds (default 600)]:SECONDS: ' \
        '--total-limit=[Start no more processes after this many seconds (default 18000)]:SECONDS: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '--rule=[Statistical rule\: default, textbook, welch, history, paired or exact]:NAME:(default textbook welch history paired exact)' \
        '--gate=[Fail the build on a confirmed slow-down of at least this fraction (default 0.05)]:FRACTION: ' \
        '--policy-from=[Read torchgate.toml and waivers from this commit (default in a pull request\: the base branch)]:REF: ' \
        '*--waivers=[Also apply the waivers of this file (repeatable); one of the same case and metric replaces the policy'\''s. Trusted, also in a pull request\: name no file of the change]:FILE:_files' \
        '--format=[Print this format (default terminal)\: terminal, markdown, html, json, junit, github, gitlab, prometheus, bencher, github-action-benchmark, github-action-benchmark-bigger, nyrkio or pytorch]:NAME:(terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the report as JSON]:FILE:_files' \
        '--markdown=[Also write the report as Markdown]:FILE:_files' \
        '--html=[Also write the report as one HTML page]:FILE:_files' \
        '--quiet[Do not print the report]' \
        '--verbose[List every case, including those within the margin, and define the terms]'
 ;;
      accept) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*:CASE: ' \
        '--reason=[Why the slow-down is accepted]:TEXT: ' \
        '--metric=[Only this metric (default\: all failing metrics of the case)]:NAME: ' \
        '--ceiling=[Largest slow-down that passes\: 12% or 0.12; for an exact metric the largest value, or the lowest where larger is better (default\: what was measured, a change rounded up to a whole per cent)]:CEILING: ' \
        '--expires=[Last day\: 90d from today, or a date such as 2027-01-31 (default 90d)]:WHEN: ' \
        '--report=[Report with the failing cases (default\: the newest report of `gate`, `ab`, `compare` or `report`)]:FILE:_files' \
        '--by=[Record who accepts it]:LOGIN: ' \
        '--commit=[Record this commit (default\: that of the report, unless its tree was modified)]:SHA: ' \
        '--waivers=[Add to this file (default\: gate.waivers, torchgate-waivers.toml); see `torchgate gate --waivers`]:FILE:_files'
 ;;
      baseline) _torchgate_baseline ;;
      report) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:RUN:_torchgate_runs' \
        '--site=[Write or update a folder of web pages\: the history of each case of the store, and what changed]:DIR:_files -/' \
        '--host=[With --site\: only the runs of this host key (default\: all hosts)]:KEY: ' \
        '--store=[Baseline store, for --site and for stored runs (default .torchgate/store)]:DIR|URL:_files -/' \
        '2:OTHER:_torchgate_runs' \
        '--output=[Write the report to this file instead of printing it]:FILE:_files' \
        '-o[Write the report to this file instead of printing it]:FILE:_files' \
        '--format=[Print this format (default terminal)\: terminal, markdown, html, json, junit, github, gitlab, prometheus, bencher, github-action-benchmark, github-action-benchmark-bigger, nyrkio or pytorch]:NAME:(terminal markdown html json junit github gitlab prometheus bencher github-action-benchmark github-action-benchmark-bigger nyrkio pytorch)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the report as JSON]:FILE:_files' \
        '--markdown=[Also write the report as Markdown]:FILE:_files' \
        '--html=[Also write the report as one HTML page]:FILE:_files' \
        '--quiet[Do not print the report]' \
        '--verbose[List every case, including those within the margin, and define the terms]' \
        '*--vary=[A difference between the sides that is intended, e.g. libtorch; it is not reported as a doubt (repeatable)]:NAME: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '--rule=[Statistical rule\: default, textbook, welch, history, paired or exact]:NAME:(default textbook welch history paired exact)' \
        '--gate=[Fail the build on a confirmed slow-down of at least this fraction (default 0.05)]:FRACTION: '
 ;;
      explain) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:CASE: ' \
        '2:BEFORE:_torchgate_runs' \
        '3:AFTER:_torchgate_runs' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--format=[Print this format (default terminal)\: terminal, markdown or json]:NAME:(terminal markdown json)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the result as JSON]:FILE:_files' \
        '--markdown=[Also write the result as Markdown]:FILE:_files' \
        '--quiet[Do not print the result]' \
        '--verbose[List every operator]'
 ;;
      history) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:CASE: ' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--alpha=[False-alarm probability for a whole series (default 0.001)]:P: ' \
        '--margin=[Smallest relative level change to report (default 0.01)]:FRACTION: ' \
        '--host=[Use the runs of this host key (default\: this machine)]:KEY: ' \
        '--uncommitted[Include runs of modified work trees and without a commit]' \
        '--format=[Print this format (default terminal)\: terminal, markdown or json]:NAME:(terminal markdown json)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the result as JSON]:FILE:_files' \
        '--markdown=[Also write the result as Markdown]:FILE:_files' \
        '--quiet[Do not print the result]' \
        '--verbose[List every run]'
 ;;
      bisect) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*:CASE: ' \
        '--from=[The cases that fail in a JSON report because they became slower, measured with the profile, --warmup and --samples of its run]:FILE:_files' \
        '--good=[A commit before the slow-down\: an ancestor of --bad]:COMMIT: ' \
        '--bad=[A commit with the slow-down]:COMMIT: ' \
        '--build=[Shell command that builds a commit, run in a temporary work tree below .torchgate; {dir} is its path, quoted for the shell; a commit whose build fails is skipped; submodules are not fetched]:CMD: ' \
        '*--suites=[The built suites, relative to the work tree (repeatable; default\: run.suites)]:PATH:_files' \
        '--first-parent[Do not look into merged branches]' \
        '--quick[Take a fifth of the time, with less statistical power]' \
        '--full[Measure also the cases that are too long for every run (those that suites mark with only_full())]' \
        '--warmup=[At least so many calls before the first sample of a case (default\: 10, for at least 50 ms)]:CALLS: ' \
        '--samples=[So many samples of each case and process (default\: 40 to 400, as 0.3 s pay for)]:N: ' \
        '--step-pairs=[Pairs of a step with one end, at most (default 24); a commit that is not decided then is skipped]:N: ' \
        '--resume[Continue the bisection that was interrupted, with its options]' \
        '--json=[Also write the answer as JSON]:FILE:_files' \
        '--pairs=[Maximum number of pairs of both ends, and of the last check (default 48)]:N: ' \
        '--threads=[Intra-operator threads of a suite (default 1)]:N: ' \
        '--allocator=[malloc of the suites\: steady (default) or system (as the C library does it)]:NAME:(steady system)' \
        '--ranks-with=[What starts groups with ranks\: torchgate (default), srun (as tasks of this job of Slurm) or auto (srun in a job with several tasks or nodes)]:PROGRAM:(auto torchgate srun)' \
        '--device-metric=[What cases on a GPU are judged by\: time (default), gpu_time_hot or gpu_time_cold (the device'\''s own)]:METRIC:(time gpu_time_hot gpu_time_cold)' \
        '--group-limit=[Kill a process after this many seconds (default 600)]:SECONDS: ' \
        '--total-limit=[Start no more processes after this many seconds (default 18000)]:SECONDS: ' \
        '*--better=[Direction of a metric, unit or benchmark that the file leaves open (repeatable; "*" is all others; also import.better)]:NAME=higher|lower: ' \
        '--allow-noisy[Judge times even if the machine was unfit (torchgate doctor); the report shows it. With `run`\: recorded only]' \
        '--rule=[Statistical rule\: default, textbook, welch, history, paired or exact]:NAME:(default textbook welch history paired exact)' \
        '--gate=[Fail the build on a confirmed slow-down of at least this fraction (default 0.05)]:FRACTION: ' \
        '--policy-from=[Read torchgate.toml and waivers from this commit (default in a pull request\: the base branch)]:REF: '
 ;;
      advise) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:RUN:_torchgate_runs' \
        '--store=[Baseline store (default .torchgate/store)]:DIR|URL:_files -/' \
        '--fail-under=[Exit with 1 if the score is below this many per cent, or unknown; with 3 if it is not, but the run is incomplete or has cases without a result]:PERCENT: ' \
        '--format=[Print this format (default terminal)\: terminal, markdown or json]:NAME:(terminal markdown json)' \
        '*--write=[Also write a file in one of these formats (repeatable)]:FORMAT=FILE: ' \
        '--json=[Also write the result as JSON]:FILE:_files' \
        '--markdown=[Also write the result as Markdown]:FILE:_files' \
        '--quiet[Do not print the result]' \
        '--verbose[The same]'
 ;;
      store) _torchgate_store ;;
      merge) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*:FILE:_files' \
        '--save=[Save the run under this name (replaces an existing one)]:NAME: '
 ;;
      comment) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--begin[Create the check as in progress, before anything is measured, so a job that ends early does not pass a required check]' \
        '--target[Print the measured commit, the base branch and a commit of that, separated by spaces, and exit]' \
        '--report=[The report of `torchgate gate --json`]:FILE:_files' \
        '--markdown=[The report of `torchgate gate --markdown`]:FILE:_files' \
        '--failed=[Without a report\: a failure, and why]:SENTENCE: ' \
        '--neutral=[Without a report\: no verdict, and what to do]:SENTENCE: ' \
        '--pull-request=[Its number (default\: from the event of the job, GITHUB_EVENT_PATH)]:N: ' \
        '--head=[The measured commit of the pull request]:SHA: ' \
        '--head-repository=[Instead of the number\: the repository of that commit]:OWNER/NAME: ' \
        '--repository=[Where the pull request is (default\: GITHUB_REPOSITORY)]:OWNER/NAME: ' \
        '--author=[The login that the token writes as (default\: asked from GitHub; needed for the token of an app, such as my-app\[bot\])]:LOGIN: ' \
        '--name=[Name of the check and of the comment, constant over runs (default torchgate)]:NAME: ' \
        '--key=[Which workflow or job it is of, constant over runs\: with gpu, check and comment are NAME/gpu (default\: GITHUB_WORKFLOW_REF and GITHUB_JOB; with performance, NAME alone)]:KEY: ' \
        '--show-key[Print the key of the workflow that measured, then exit]' \
        '--run-id=[With --show-key in a job for issue_comment\: the run that measured]:N: ' \
        '--no-verdict-fails[Without a verdict the check is a failure instead of neutral, which does not block a merge]' \
        '--commands[Mention the /perf commands, where a workflow answers them]' \
        '--no-comment[Only the check]' \
        '--no-check[Only the comment]'
 ;;
      perf) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--output=[Append command, case, reason, head, number, login, comment, run and key for the next steps, as in GITHUB_OUTPUT; command is accept, rerun, refused or none]:FILE:_files' \
        '--workflow=[The workflow that measures\: its file or name (default\: the only one that ran for the commit)]:FILE|NAME: ' \
        '--artifact=[Accept only while its run has this artifact, with the measurements]:NAME: ' \
        '--repository=[Where the pull request is (default\: GITHUB_REPOSITORY)]:OWNER/NAME: ' \
        '--author=[The login that the token writes as (default\: asked from GitHub; needed for the token of an app, such as my-app\[bot\])]:LOGIN: ' \
        '--name=[Name of the check (torchgate comment --name; default torchgate)]:NAME: ' \
        '--key=[Key of the verdict (torchgate comment --key; default\: of the workflow)]:KEY: ' \
        '--refused=[Only tell the author that the command was not carried out, and why\: where a later step refuses it]:SENTENCE: '
 ;;
      triage) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '--report=[The report of `torchgate gate --json` of a commit of the default branch]:FILE:_files' \
        '*--repairs=[The report of `torchgate ab --json` with the commit before a cause and a later one (repeatable); an issue whose cases are all repaired is closed]:FILE:_files' \
        '--open[Print the open causes, then exit\: one per line with issue, commit before it and --filter of its cases]' \
        '--states=[The reviewed triage file (default\: the nearest torchgate-triage.toml upwards, if there is one)]:FILE:_files' \
        '--json=[Also write what was done and what is open as JSON]:FILE:_files' \
        '--repository=[Where the issues are (default\: GITHUB_REPOSITORY)]:OWNER/NAME: ' \
        '--author=[The login that the token writes as (default\: asked from GitHub; needed for the token of an app, such as my-app\[bot\])]:LOGIN: ' \
        '--key=[Of two workflows that measure\: whose issues (torchgate comment --key; default performance)]:KEY: ' \
        '--dry-run[Only print what would be done]'
 ;;
      unpack) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:FILE.zip:_files' \
        '--run-id=[Instead of a file\: download the artifact of this workflow run]:N: ' \
        '--artifact=[With --run-id\: its name]:NAME: ' \
        '--artifact-id=[With --artifact\: its number, an output of the upload in the same workflow run; another one is refused]:N: ' \
        '--into=[New or empty folder; it gets all files, or none if any of them is refused]:DIR:_files -/'
 ;;
      help) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '*:TOPIC|COMMAND:(ab accept advise agent baseline bisect calibrate comment compare completion doctor exit-codes explain gate help history import merge perf policy report run store triage unpack verdicts)' \
        '--man[Print all of it as a manual page\: `torchgate help --man | man -l -`]'
 ;;
      completion) _arguments -s -S \
        '--config=[Policy file (default\: torchgate.toml in this or a parent directory)]:FILE:_files' \
        '--color=[Colours on standard output\: auto (default\: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never]:WHEN:(auto always never)' \
        '--help[Print this help]' \
        '-h[Print this help]' \
        '--version[Print the version]' \
        '1:SHELL:(bash fish zsh)'
 ;;
    esac ;;
  esac
}
if [[ $funcstack[1] == _torchgate ]]; then _torchgate "$@"; else compdef _torchgate torchgate; fi
