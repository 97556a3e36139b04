/* Interface of the exported model arm (Kinetree 0.1.0).

   An instance is one piece of memory without pointers to other memory. Instances are independent of
   each other; one thread at a time may use an instance. All numbers are in SI units. Functions that
   return int return 0, or a status that library_message() explains. Nothing but library_new allocates memory. */
#ifndef library_H
#define library_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct library library;

enum {
    library_STATES = 4, /* number of states: coordinates, velocities, states of elements */
    library_INPUTS = 0,
    library_OUTPUTS = 1,
    library_PARAMETERS = 0,
    library_MORE = 100 /* status: the budget of steps is used up, call again */
};
extern const char *const library_state_names[], *const library_input_names[], *const library_output_names[],
    *const library_parameter_names[];
/* outputs, by number:
        0  A.angle  (rad)
*/
size_t library_bytes(void);               /* size of an instance; its memory must be aligned to 64 bytes */
library *library_place(void *memory);         /* an instance at the initial state, in memory of yours */
library *library_new(void);                   /* the same in memory of malloc, or NULL */
void library_free(library *m);                /* of library_new */
void library_reset(library *m);               /* the initial state, inputs and parameters */

/* Advance to the time t (s). The integrator chooses its steps; the state at t is interpolated. */
int library_advance(library *m, double t);
/* The same with at most so many steps; returns library_MORE if t is not reached. For real-time use with a
   method of fixed steps: the time of a step is almost constant. */
int library_step(library *m, double t, long most);
/* The same, but the last step ends at t: the result of kt.simulate(until=t) to the last bit, if the
   run began at the initial state. */
int library_advance_exactly(library *m, double t);

double library_time(const library *m);
const double *library_state(const library *m);
/* Set the time and the state; `settle` not 0: the state is moved onto the constraints. */
int library_set_state(library *m, double t, const double *y, int settle);
/* An input is value + slope (t - now): a ramp between two calls is exact. */
int library_set_input(library *m, int k, double value, double slope);
double library_input(const library *m, int k, double *slope);
/* A parameter takes effect in all that follows; set it before the first step, or at any time. */
int library_set_parameter(library *m, int k, double value);
double library_parameter(const library *m, int k);
/* All outputs at the present time and state. */
int library_outputs(library *m, double *values);

/* For programs that integrate themselves: rates of a state, and outputs there, without side effects
   on the run. The state is that of library_set_state or another one near the constraints. */
int library_rates(library *m, double t, const double *y, double *ydot);
int library_outputs_at(library *m, double t, const double *y, double *values);
int library_settle(library *m, double t, double *y); /* move a state onto the constraints, in place */

void library_save(const library *m, void *memory); /* the whole state of the run: library_bytes() bytes */
void library_load(library *m, const void *memory); /* of this or of another instance or process */
const char *library_message(int status);
long library_steps(const library *m);
long library_evaluations(const library *m);

#ifdef __cplusplus
}
#endif
#endif
