// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/hostile_names.hpp"

namespace torchgate::reports::models {

const std::vector<std::string>& hostile_names_corpus() {
  static const std::vector<std::string> corpus = {
      "a|b\\|c\\\\|d",
      "`tick` ``two`` ```three",
      "</details><img src=x onerror=alert(1)><script>alert(2)</script>",
      "<!-- comment --> --> <!--",
      "]]> <![CDATA[ &amp; &#x3C; &lt;",
      "@octocat @org/team #12 GH-7 user@example.org",
      "https://example.org www.example.org [click](https://example.org) ![pixel](https://example.org/x.png)",
      ":shipit: $x$ $$y$$ ~~gone~~ **bold** __under__",
      "::error title=x::planted\n::add-mask::secret\r::set-output name=a::b",
      "##[error]planted ##vso[task.complete] ##teamcity[x]",
      "%0A::error::planted %25 %0D",
      "\n\n## ✅ PASS\n| new | row |\n| --- | --- |\n",
      "safe\xE2\x80\xAEgnp.exe\xE2\x80\x8B\xE2\x81\xA6 turned",
      "\x1B[31mred\x1B]0;title\x07\x08\x7F",
      std::string("nul\0nul", 7),
      "bad\xC3\x28\xFF utf8 \xED\xA0\x80 \xF4\x90\x80\x80",
      "line\xE2\x80\xA8separator\xE2\x80\xA9paragraph\xC2\x85next",
      "=1+1 +cmd|' /C calc'!A0 -x @SUM(A1)",
      "quote\" 'apostrophe' back\\slash {brace} }close",
      "metric{label=\"x\"} 1\n# HELP planted planted\nplanted 1",
      "日本語/モデル/バッチ:8",
      "   leading and trailing   ",
      "",
      std::string(10000, 'x'),
  };
  return corpus;
}

}  // namespace torchgate::reports::models
