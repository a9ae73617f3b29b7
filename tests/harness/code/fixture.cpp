// SPDX-License-Identifier: Apache-2.0
// A library that is built in many variants (CMakeLists.txt): what is the same in two of them is compared.
struct First {};
struct Second {};
struct Cleaned {
  int& count;
  ~Cleaned() { ++count; }
};

extern "C" {
int start_value = START;
thread_local int per_thread = PER_THREAD;
static const int table[8] = {3, 1, 4, TABLE, 5, 9, 2, 6};

#ifdef ADDED
const char* added(int which) {
  static const char* const names[] = {"a name", "another name", "a third one"};
  return names[which];
}
double added_number(double x) {
  return x * 1234.5;
}
#endif

int unused(int x) {
  return x * UNUSED;
}
int reads_variable(int x) {
  return x + start_value;
}
int reads_thread_local(int x) {
  return x + per_thread;
}

int reads_table_from_before(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i) sum += table[(i - 1) & 7];
  return sum;
}

const char* reads_string() {
  return "a string " STRING;
}
double reads_number(double x) {
  return x * NUMBER;
}
__attribute__((weak, visibility("hidden"))) int defined_nowhere(int x);
int calls_what_is_defined_nowhere(int x) {
  return defined_nowhere != nullptr ? defined_nowhere(x) : x;
}
int leaf(int x) {
  return x * 3 + LEAF;
}
int calls(int x) {
  return unused(x) - CALLED(x);
}

int switches(int which, int x) {
  switch (which) {
    case 0:
      return x + 11;
    case SWITCHED:
      return x * x;
    case 2:
      return x - unused(3);
    case 6:
      return x ^ 0x55;
    case 4:
      return leaf(x);
    case 5:
      return x % 5;
    default:
      return 0;
  }
}

static int (*const steps[2])(int) = {leaf, STEP};
int steps_through(int x) {
  for (int i = 0; i < 4; ++i) x = steps[i & 1](x);
  return x;
}

__attribute__((noinline)) int throws(int x) {
  if (x == 7) throw First();
  if (x == 8) throw Second();
  return x + 1;
}
int catches(int x) {
  try {
    return throws(x);
  } catch (const CAUGHT&) {
    return -1;
  }
}
int cleans_up(int x, int& count) {
  const Cleaned cleaned{count};
  return throws(x) * 3;
}
int never_throws(int x) noexcept(NEVER) {
  return throws(x) * 5;
}
}
