#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/compile_alone.py in a made-up repository with a stub of CMake: a .cpp and a header that miss an #include are found, a file of another
# preset is skipped, and what includes LibTorch is left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"
command -v g++ >/dev/null || { echo "skipped: g++ is not installed"; exit 77; }

mkdir -p "$tree/ci/scripts" "$tree/bin"
cp "$here/../../ci/scripts/compile_alone.py" "$tree/ci/scripts/"
# Its compile commands are those of every .cpp but that of another preset.
cat >"$tree/bin/cmake" <<'STUB'
#!/usr/bin/env bash
[[ -z ${NOT_CONFIGURED:-} ]] || { echo "no such package"; exit 1; }
[[ " $* " == *" -DTORCHGATE_PCH=OFF -DTORCHGATE_UNITY=0 "* ]] || { echo "not each file alone: $*"; exit 1; }
mkdir -p build/alone
find "$PWD" -name '*.cpp' ! -name other_preset.cpp |
  sed "s|.*|{\"file\": \"&\", \"command\": \"g++ -std=c++20 -DWORDS=2 -I$PWD -o x.o -c &\"}|" | paste -sd, | sed 's/.*/[&]/' >build/alone/compile_commands.json
STUB
chmod +x "$tree/bin/cmake"
put stats/words.hpp '#include <string>\nstruct Words {\n  std::string first = std::string(WORDS, 1);\n};\n'
put stats/words.cpp '#include "stats/words.hpp"\nWords words;\n'
put harness/only.hpp '#include "stats/words.hpp"\nextern Words only;\n'
put harness/bench/torch/tensor.hpp '#include <torch/torch.h>\n'
put ci/other_preset.cpp '#include <portable>\n'
put tests/stats/words_test.cpp '#include "stats/words.hpp"\nint main() { return 0; }\n'
alone() { env PATH="$tree/bin:$PATH" "$tree/ci/scripts/compile_alone.py" "$@"; }

expect 0 $'skipped: ci/other_preset.cpp is not part of the preset core\n3 files compile alone, 0 do not' alone
put stats/lacks.cpp 'std::vector<int> numbers;\n'
put harness/lacks_too.hpp '#include "stats/words.hpp"\nstd::optional<Words> maybe();\n'
expect 1 "stats/lacks.cpp: does not compile alone: stats/lacks.cpp:1:6: error: 'vector' in namespace 'std'" alone
expect 1 "; the compiler proposes #include <vector>" alone
expect 1 "harness/lacks_too.hpp: does not compile alone: harness/lacks_too.hpp:2:6: error: 'optional' in namespace 'std'" alone
expect 1 "3 files compile alone, 2 do not" alone
put stats/lacks.cpp '#include "stats/missing.hpp"\n'
expect 1 "stats/lacks.cpp:1:10: fatal error: stats/missing.hpp: No such file or directory" alone "$tree/stats/lacks.cpp"
expect 0 "1 files compile alone, 0 do not" alone "$tree/stats/words.hpp"
expect 2 "no such package" env NOT_CONFIGURED=yes PATH="$tree/bin:$PATH" "$tree/ci/scripts/compile_alone.py"
finish
