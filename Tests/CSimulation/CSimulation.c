/* The executor of Swift's tasks on Linux is Dispatch. These functions take the place of Dispatch's and of the C library's, for
 * whoever links them: the dynamic linker finds the program's first. Threads without a simulation get the real ones. */
#define _GNU_SOURCE
#include "CSimulation.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*function)(void *);

/* The beginning of a block (https://clang.llvm.org/docs/Block-ABI-Apple.html). */
struct block {
  void *isa;
  int flags, reserved;
  function invoke;
};
void *_Block_copy(const void *);
void _Block_release(const void *);

struct work {
  /* Where blocks run in their order; nothing for jobs of tasks. */
  void *queue;
  void *context;
  function function;
  int64_t due;
};

static _Thread_local bool is_on;
static _Thread_local int64_t now;
static _Thread_local struct work *works;
static _Thread_local size_t count, capacity;

static void add(void *queue, void *context, function function, int64_t due) {
  if (count == capacity) {
    capacity = capacity ? capacity * 2 : 64;
    works = realloc(works, capacity * sizeof *works);
    if (!works) abort();
  }
  works[count++] = (struct work){queue, context, function, due};
}

static void run_block(void *block) {
  ((struct block *)block)->invoke(block);
  _Block_release(block);
}

void hearth_simulation_begin(int64_t at) {
  is_on = true;
  now = at;
  count = 0;
}

void hearth_simulation_end(void) {
  is_on = false;
  count = 0;
}

int64_t hearth_simulation_now(void) { return now; }

static bool is_ready(size_t index) {
  if (works[index].due > now) return false;
  if (!works[index].queue) return true;
  for (size_t before = 0; before < index; before++) {
    if (works[before].queue == works[index].queue) return false;
  }
  return true;
}

size_t hearth_simulation_ready(void) {
  size_t ready = 0;
  for (size_t index = 0; index < count; index++) ready += is_ready(index);
  return ready;
}

void hearth_simulation_run(size_t wanted) {
  for (size_t index = 0; index < count; index++) {
    if (!is_ready(index) || wanted--) continue;
    struct work work = works[index];
    memmove(works + index, works + index + 1, (--count - index) * sizeof *works);
    work.function(work.context);
    return;
  }
}

bool hearth_simulation_advance(void) {
  int64_t next = INT64_MAX;
  for (size_t index = 0; index < count; index++) {
    if (works[index].due > now && works[index].due < next) next = works[index].due;
  }
  if (next == INT64_MAX) return false;
  now = next;
  return true;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (is_on && clock != CLOCK_THREAD_CPUTIME_ID && clock != CLOCK_PROCESS_CPUTIME_ID) {
    *time = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
    return 0;
  }
  static __typeof__(&clock_gettime) real;
  if (!real) real = REAL(clock_gettime);
  return real(clock, time);
}

void dispatch_async(void *queue, void *block) {
  if (is_on) return add(queue, _Block_copy(block), run_block, 0);
  static __typeof__(&dispatch_async) real;
  if (!real) real = REAL(dispatch_async);
  real(queue, block);
}

void dispatch_async_f(void *queue, void *context, function function) {
  if (is_on) return add(NULL, context, function, 0);
  static __typeof__(&dispatch_async_f) real;
  if (!real) real = REAL(dispatch_async_f);
  real(queue, context, function);
}

void dispatch_after_f(uint64_t when, void *queue, void *context, function function) {
  /* The two highest bits say by which clock; all show the same here. */
  if (is_on) return add(NULL, context, function, (int64_t)(when & INT64_MAX >> 1));
  static __typeof__(&dispatch_after_f) real;
  if (!real) real = REAL(dispatch_after_f);
  real(when, queue, context, function);
}
