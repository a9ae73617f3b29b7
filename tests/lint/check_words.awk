# SPDX-License-Identifier: Apache-2.0
# Prints "FILE:LINE: ..." for each retired phrase in what a person reads: string literals, comments and test names of C++ files, names of
# files, and the text of .md files. First file: "phrase TAB replacement" lines; second: "path prefix TAB text that is allowed there".
# Literals that the compiler joins are one text, and so are comments on lines of their own, and a paragraph of Markdown.
# String literals below tests/ are not read: they repeat what the program or an older version of it prints.

function report(text, line,    i, at, from, before, after, found, j) {
  gsub(/[ \t]+/, " ", text)
  text = " " tolower(text) " "
  for (j = 1; j <= allowances; ++j)
    if (index(current, allowed_in[j]) == 1 || allowed_in[j] == "*")
      while ((at = index(text, allowed[j])) > 0)
        text = substr(text, 1, at - 1) "~" substr(text, at + length(allowed[j]))
  for (i = 1; i <= phrases; ++i) {
    from = text
    while ((at = index(from, phrase[i])) > 0) {
      before = substr(from, at - 1, 1)
      after = substr(from, at + length(phrase[i]), 1)
      from = substr(from, at + length(phrase[i]))
      if (at == 1 || before ~ /[a-z0-9_-]/ || after ~ /[a-z0-9_-]/) continue
      printf "%s:%d: \"%s\": retired; write %s\n", current, line, phrase[i], replacement[i]
      break
    }
  }
}

function end_comment() {
  if (comment != "") report(comment, comment_line)
  comment = ""
}

# "NobodyAsks" as words.
function words_of(name) {
  gsub(/_/, " ", name)
  gsub(/[A-Z]/, " &", name)
  return name
}

function flush() {
  if (pending != "" && current !~ /^tests\//) report(pending, pending_line)
  pending = ""
}

# One character after the other: the space between literals is passed over, code ends a literal.
function scan(line,    i, c, two, end, text) {
  if (state == "comment") comment = comment " "
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    two = substr(line, i, 2)
    if (state == "comment") {
      if (two == "*/") { state = ""; ++i; end_comment() }
      else comment = comment c
    } else if (state == "raw") {
      end = index(substr(line, i), ")" delimiter "\"")
      if (end == 0) { pending = pending substr(line, i) " "; return }
      pending = pending substr(line, i, end - 1)
      i += end + length(delimiter)
      state = ""
    } else if (state == "string") {
      if (c == "\\") { pending = pending (substr(line, i + 1, 1) == "n" ? " " : substr(line, i + 1, 1)); ++i }
      else if (c == "\"") state = ""
      else pending = pending c
    } else if (two == "//") {
      if (line !~ /^[ \t]*\/\//) end_comment()
      if (comment == "") comment_line = FNR
      text = substr(line, i)
      sub(/^\/+<? */, "", text)
      comment = comment " " text
      if (line !~ /^[ \t]*\/\//) end_comment()
      return
    } else if (two == "/*") {
      end_comment()
      comment_line = FNR
      state = "comment"; ++i
    } else if (c == "'") {
      if (substr(line, i + 1, 1) == "\\") i += 3
      else if (substr(line, i + 2, 1) == "'") i += 2
      flush()
    } else if (c == "R" && substr(line, i + 1, 1) == "\"") {
      end = index(substr(line, i + 2), "(")
      delimiter = substr(line, i + 2, end - 1)
      i += end + 1
      state = "raw"
      if (pending == "") pending_line = FNR
    } else if (c == "\"") {
      state = "string"
      if (pending == "") pending_line = FNR
    } else if (c !~ /[ \t]/) {
      flush()
    }
  }
}

FNR == 1 {
  if (was_markdown) report(paragraph, paragraph_line)
  else { flush(); end_comment() }
  ++files
  current = FILENAME
  state = pending = paragraph = ""
  was_markdown = 0
}
files == 1 { split($0, pair, "\t"); phrase[++phrases] = tolower(pair[1]); replacement[phrases] = pair[2]; next }
files == 2 {
  if ($0 ~ /^#/ || $0 == "") next
  split($0, pair, "\t"); allowed_in[++allowances] = pair[1]; allowed[allowances] = tolower(pair[2]); next
}
FILENAME ~ /\.md$/ {
  was_markdown = 1
  if (/^## /) in_list = $0 == "## Words"
  if (FILENAME == "tests/lint/README.md" && in_list) next
  if (/^[ \t]*$/ || /^[|#]/ || /^```/) {
    report(paragraph, paragraph_line)
    paragraph = ""
    if (/^[|#]/) report($0, FNR)
    next
  }
  if (/^(- |[0-9]+[.] )/) {
    report(paragraph, paragraph_line)
    paragraph = ""
  }
  if (paragraph == "") paragraph_line = FNR
  paragraph = paragraph " " $0
  next
}
FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name); sub(/\.[a-z]+$/, "", name)
  report(words_of(name), 1)
}
state != "comment" && !/^[ \t]*\/\// { end_comment() }
/^[ \t]*#include/ { next }
/^((TYPED_)?TEST(_F|_P)?|RC_GTEST_PROP)\([A-Za-z0-9_]+, *[A-Za-z0-9_]+/ { report(words_of(substr($0, index($0, "(") + 1)), FNR) }
{ scan($0) }
END { if (was_markdown) report(paragraph, paragraph_line); else { flush(); end_comment() } }
