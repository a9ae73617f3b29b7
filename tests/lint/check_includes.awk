# SPDX-License-Identifier: Apache-2.0
# Reads include_table.txt, then every source file, and prints each #include that breaks the table.
# Run by check_includes.sh: awk -v root=ROOT -f check_includes.awk include_table.txt FILES...

FNR == NR { read_table_line($0); next }
FNR == 1 {
  file = substr(FILENAME, length(root) + 2)
  rule = longest_rule(file)
  private = file ~ /\.(cpp|cu)$/ || is_private_header(file)
  includes = 0
  if (rule == "") complain("this folder is not in include_table.txt")
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ && rule != "" {
  match($0, /[<"][^>"]*/)
  check_include(substr($0, RSTART + 1, RLENGTH - 1), substr($0, RSTART, 1) == "\"")
}
END { exit failed }

function read_table_line(line,    column, word, n, i, pair) {
  sub(/#.*/, "", line)
  if (line ~ /^[a-z]+:/) {
    n = split(line, word, " ")
    for (i = 2; i <= n; i++) {
      if (word[1] == "alias:") { split(word[i], pair, "="); alias[pair[1]] = pair[2] }
      if (word[1] == "system:") system_header[word[i]] = 1
      if (word[1] == "once:") once[word[i]] = 1
    }
  } else if (split(line, column, "|") == 4) {
    gsub(/ /, "", column[1])
    may_include[column[1]] = " " column[2] " "
    third_party_private[column[1]] = " " column[3] " "
    third_party[column[1]] = " " column[4] " "
    top = column[1]
    sub(/\/.*/, "", top)
    our_folder[top] = our_folder["tests"] = 1
  }
}

function longest_rule(path) {
  while (sub(/\/[^\/]*$/, "", path)) if (path in may_include) return path
  return ""
}

# A header that only .cpp files of its own folder may include: it lies in internal/, or its second line says so.
function is_private_header(path,    line, n, says_so) {
  if (path ~ /\/internal\//) return 1
  for (n = 1; n <= 2 && (getline line < (root "/" path)) > 0; n++) says_so = n == 2 && line ~ /^\/\/ Private to /
  close(root "/" path)
  return says_so
}

function exists(path,    line, found) {
  found = (getline line < (root "/" path)) >= 0
  close(root "/" path)
  return found
}

function area(path,    part) {
  split(path, part, "/")
  return part[1] "/" part[2]
}

function complain(text) {
  print FILENAME ":" FNR ": " text
  failed = 1
}

function check_include(target, quoted,    first, own_header) {
  includes++
  first = target
  sub(/\/.*/, "", first)
  own_header = file
  sub(/\.(cpp|cu)$/, ".hpp", own_header)
  if (includes == 1 && own_header != file && target != own_header && exists(own_header))
    complain("its own header \"" own_header "\" comes first")

  if (first in our_folder) check_ours(target, quoted)
  else if (target !~ /[.\/]/ && !quoted) return  # the C++ standard library
  else if (first in system_header) return
  else check_third_party(target, first in alias ? alias[first] : first, quoted)
}

function check_ours(target, quoted,    to) {
  to = longest_rule(target)
  if (!quoted) complain("<" target ">: our own files are included with \"\"")
  if ((to == "" || !index(may_include[rule], " " to " ")) &&
      !(to == "suites" && index(may_include[rule], " self ") && area(file) == area(target)))
    complain("\"" target "\": " rule " may not include " (to == "" ? target : to))
  else if (!exists(target) && !exists(target ".in"))
    complain("\"" target "\": there is no such file")
  else if (is_private_header(target) && !(private && longest_rule(file) == to))
    complain("\"" target "\" is private to the .cpp files of " to)
}

function check_third_party(target, name, quoted) {
  if (quoted && target !~ /\//) {
    complain("\"" target "\": our files are included by their path from the root of the repository")
  } else if (index(third_party[rule], " " name " ")) {
    return
  } else if (!index(third_party_private[rule], " " name " ")) {
    complain("<" target ">: " rule " may not use " name)
  } else if (!private) {
    complain("<" target ">: a public header of " rule " may not show " name)
  } else if (name in once) {
    if (name in included_by && included_by[name] != file)
      complain("<" target ">: one file includes " name ", and that is " included_by[name])
    included_by[name] = file
  }
}
