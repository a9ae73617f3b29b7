// SPDX-License-Identifier: Apache-2.0
// Functions whose instructions stay as they are when one of them does something else: what they read is elsewhere. CHANGED is which one.
#define IS(number) (CHANGED == (number))
#if IS(6)
#define NUMBER_OF_6 "6"
#else
#define NUMBER_OF_6 "5"
#endif
#if IS(8)
#define TEXT_OF_8 "betb"
#else
#define TEXT_OF_8 "beta"
#endif

extern "C" {
void take(const char** names);
void take_wide(const char16_t* text);
void take_range(const int* begin, const int* end);

// 1: the pointers are data without a name, of which only the first one is referred to.
void passes_names() {
  const char* names[] = {"alpha",   "beta",  "gamma",   IS(1) ? "dclta" : "delta",
                         "epsilon", "zeta",  "eta",     "theta",
                         "iota",    "kappa", "lambda",  "mu",
                         "nu",      "xi",    "omicron", "pi"};
  take(names);
}

// 2: the linker may keep the second one as the end of the first one.
void passes_wide_text() {
  take_wide(IS(2) ? u"prefix:valuf" : u"prefix:value");
}
void passes_end_of_wide_text() {
  take_wide(IS(2) ? u"valuf" : u"value");
}

// 3: the address in the code is far before the table.
static const int letters[26] = {1, 2, 3, 4, 5, IS(3) ? 7 : 6};
int reads_letter(unsigned char letter) {
  return letters[letter - 'A'];
}

// 4: the address in the code is that of the end of the table.
static int backwards[32] = {1, 2, 3, IS(4) ? 5 : 4};
void passes_end() {
  take_range(backwards + 32, backwards + 24);
}

// 5
static thread_local const char* per_thread = IS(5) ? "changed" : "literal";
const char* reads_thread_local() {
  return per_thread;
}
void writes_thread_local(const char* text) {
  per_thread = text;
}

// 6: a table of assembler code, whose size is not written anywhere.
extern __attribute__((visibility("hidden"))) const int sizeless[];
asm(".section .rodata\n.globl sizeless\n.hidden sizeless\n.type sizeless,@object\n.balign 4\n"
    "sizeless: .long 1,2,3," NUMBER_OF_6 ",7\n.text\n");
int reads_sizeless(int i) {
  return sizeless[i];
}

// 7: no instruction refers to an entry.
struct Entry {
  int value;
};
__attribute__((section("registry"), used)) static Entry first = {1};
__attribute__((section("registry"), used)) static Entry second = {IS(7) ? 3 : 2};
extern __attribute__((visibility("hidden"))) Entry __start_registry[];
extern __attribute__((visibility("hidden"))) Entry __stop_registry[];
int reads_registry() {
  int sum = 0;
  for (const Entry* entry = __start_registry; entry != __stop_registry; ++entry) sum = sum * 3 + entry->value;
  return sum;
}

// 8: distances from the table to strings, as Clang writes them for a switch.
extern __attribute__((visibility("hidden"))) const int distances[];
asm(".section .rodata\n.balign 4\n.type distances,@object\n.size distances,12\n.hidden distances\n.globl distances\n"
    "distances: .long 1f-distances,2f-distances,3f-distances\n"
    "1: .string \"alpha\"\n2: .string \"" TEXT_OF_8 "\"\n3: .string \"gamma\"\n.text\n");
const char* reads_distance(int i) {
  return reinterpret_cast<const char*>(distances) + distances[i];
}

// 9: nops that align nothing.
int waits(int turns) {
  int sum = 0;
  for (int i = 0; i < turns; ++i) {
    sum += i * sum;
#if IS(9)
    asm volatile(".rept 205\nnop\n.endr");
#endif
    asm volatile("xor $77,%0" : "+r"(sum));
  }
  return sum;
}
}
