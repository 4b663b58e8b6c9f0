/* One thread's time and order: while a simulation is on, whatever this thread gives to Dispatch, and with it every job of
 * Swift's tasks, waits here until it is told to run, and all clocks of this thread show the simulation's time. */
#ifndef HEARTH_CSIMULATION_H
#define HEARTH_CSIMULATION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins a simulation on this thread, at a time in nanoseconds since 1970. */
void hearth_simulation_begin(int64_t now);
/* Ends it, and gives up what has not run. */
void hearth_simulation_end(void);
/* How much may run next, each in any order: jobs of tasks, the first block of each queue, and what was due by now. */
size_t hearth_simulation_ready(void);
/* Runs one of them. */
void hearth_simulation_run(size_t index);
/* Goes on to the time at which something is due; false where nothing is. */
bool hearth_simulation_advance(void);
/* The simulation's time in nanoseconds since 1970. */
int64_t hearth_simulation_now(void);
#endif
